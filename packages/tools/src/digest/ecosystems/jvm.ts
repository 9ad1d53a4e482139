import type { Ecosystem } from "./findings.js";

export const jvm: Ecosystem = async (project) => {
  const gradle = project.first(
    "build.gradle.kts",
    "build.gradle",
    "settings.gradle.kts",
    "settings.gradle",
  );
  const manifest = project.first("pom.xml") ?? gradle;
  if (manifest === undefined) return undefined;
  const text = await project.read(manifest);
  const isMaven = manifest === "pom.xml";
  const wrapper = project.has(isMaven ? "mvnw" : "gradlew");
  const tool = `${wrapper ? "./" : ""}${isMaven ? "mvn" : "gradle"}${wrapper ? "w" : ""}`;
  const hasSpotless = /spotless/.test(text);
  return {
    kind: isMaven ? "Maven project" : "Gradle project",
    language:
      project.matching(/\.kt$/).length > project.matching(/\.java$/).length ? "Kotlin" : "Java",
    packageManager: isMaven ? "maven" : "gradle",
    commands: {
      test: `${tool} test`,
      lint: isMaven
        ? /checkstyle/.test(text)
          ? `${tool} checkstyle:check`
          : undefined
        : `${tool} check`,
      build: isMaven ? `${tool} package` : `${tool} build`,
      format: hasSpotless
        ? isMaven
          ? `${tool} spotless:apply`
          : `${tool} spotlessApply`
        : undefined,
    },
    frameworks: [
      ...(/spring-boot|springframework\.boot/.test(text) ? ["Spring Boot"] : []),
      ...(/quarkus/.test(text) ? ["Quarkus"] : []),
      ...(/junit/.test(text) ? ["JUnit"] : []),
    ],
    entryPoints: project.matching(/(?:^|\/)(?:Main|\w*Application)\.(?:java|kt)$/).slice(0, 5),
    manifests: [manifest],
  };
};
