import { type Ecosystem, withoutXmlComments } from "./findings.js";

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
  const groups = isMaven ? mavenGroups(text) : gradleGroups(text);
  const uses = (name: RegExp) => groups.some((group) => name.test(group));
  const wrapper = project.has(isMaven ? "mvnw" : "gradlew");
  const tool = `${wrapper ? "./" : ""}${isMaven ? "mvn" : "gradle"}${wrapper ? "w" : ""}`;
  const lint = isMaven ? (uses(/checkstyle/) ? "checkstyle:check" : undefined) : "check";
  const format = uses(/spotless/) ? (isMaven ? "spotless:apply" : "spotlessApply") : undefined;
  return {
    kind: isMaven ? "Maven project" : "Gradle project",
    language:
      project.matching(/\.kt$/).length > project.matching(/\.java$/).length ? "Kotlin" : "Java",
    packageManager: isMaven ? "maven" : "gradle",
    commands: {
      test: `${tool} test`,
      lint: lint && `${tool} ${lint}`,
      build: isMaven ? `${tool} package` : `${tool} build`,
      format: format && `${tool} ${format}`,
    },
    frameworks: [
      ...(uses(/^org\.springframework\.boot$/) ? ["Spring Boot"] : []),
      ...(uses(/^io\.quarkus/) ? ["Quarkus"] : []),
      ...(uses(/^(?:org\.)?junit/) ? ["JUnit"] : []),
    ],
    entryPoints: project.matching(/(?:^|\/)(?:Main|\w*Application)\.(?:java|kt)$/).slice(0, 5),
    manifests: [manifest],
  };
};

/** The groups of dependencies and plugins, and the names of plugins. */
function mavenGroups(text: string): readonly string[] {
  const pom = withoutXmlComments(text).replace(/<exclusions>[\s\S]*?(?:<\/exclusions>|$)/g, "");
  const groups = [...pom.matchAll(/<groupId>\s*([^<\s]+)/g)];
  const plugins = [...pom.matchAll(/<artifactId>\s*([\w.-]+-plugin)\s*</g)];
  return [...groups, ...plugins].map(([, name = ""]) => name);
}

/** The groups of coordinates such as `io.quarkus:quarkus-core:3`, and the ids of plugins. */
function gradleGroups(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  const groups = [...code.matchAll(/["']([\w.-]+):[\w.-]+(?::[^"'\n]*)?["']/g)];
  const plugins = [...code.matchAll(/\bid[\s(]*["']([\w.-]+)["']/g)];
  return [...groups, ...plugins].map(([, name = ""]) => name);
}
