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
    frameworks: known(requiredModules(await project.read("go.mod")), FRAMEWORKS),
    entryPoints: project.matching(/^(?:main\.go|cmd\/[^/]+\/main\.go)$/).slice(0, 10),
    manifests: ["go.mod"],
  };
};

/** The modules of `require`, without their major version. Indirect ones are dependencies of dependencies. */
function requiredModules(text: string): readonly string[] {
  const modules: string[] = [];
  let block = "";
  for (const line of text.split("\n")) {
    const [code = "", comment = ""] = line.split("//", 2);
    const words = code.split(/\s+/).filter((word) => word !== "");
    if (words[1] === "(") block = words[0] ?? "";
    else if (words[0] === ")") block = "";
    else if (comment.trim() !== "indirect") {
      const name = block === "require" ? words[0] : words[0] === "require" ? words[1] : undefined;
      if (name !== undefined) modules.push(name.replace(/\/v\d+$/, ""));
    }
  }
  return modules;
}
