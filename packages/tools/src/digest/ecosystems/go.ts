import { type Ecosystem, known } from "./findings.js";

const FRAMEWORKS = {
  "github.com/gin-gonic/gin": "Gin",
  "github.com/labstack/echo": "Echo",
  "github.com/gofiber/fiber": "Fiber",
  "github.com/go-chi/chi": "chi",
  "github.com/spf13/cobra": "Cobra",
  "gorm.io/gorm": "GORM",
  "github.com/stretchr/testify": "Testify",
  "google.golang.org/grpc": "gRPC",
};

export const go: Ecosystem = async (project) => {
  if (!project.has("go.mod")) return undefined;
  const text = await project.read("go.mod");
  const modules = (text.match(/[\w./-]+/g) ?? []).map((name) => name.replace(/\/v\d+$/, ""));
  const linter = project.first(".golangci.yml", ".golangci.yaml", ".golangci.toml");
  return {
    kind: "Go module",
    language: "Go",
    packageManager: "go",
    commands: {
      test: "go test ./...",
      lint: linter ? "golangci-lint run" : "go vet ./...",
      build: "go build ./...",
      format: "gofmt -w .",
    },
    frameworks: known(modules, FRAMEWORKS),
    entryPoints: project.matching(/^(?:main\.go|cmd\/[^/]+\/main\.go)$/).slice(0, 10),
    manifests: ["go.mod"],
  };
};
