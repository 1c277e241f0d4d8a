import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { Compile } from "typebox/compile";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { settings } from "../../core/base/config.ts";
import { isObject } from "../../core/base/json/index.ts";
import { readBlocks } from "../documentation/readBlocks.ts";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../deploy");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const variables = new Set(Object.values(settings).map(({ variable }) => variable));
const chart = "helm/manifold";
const templates = readdirSync(join(root, chart, "templates"));

/** Returns the nested member at a path such as `image.tag`. */
function memberOf(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isObject(found) ? found[name] : undefined;
  return found;
}

/** Fills in the values of a Helm template well enough that the result can be parsed as YAML. */
function filled(text: string): string {
  return text
    .replaceAll(/^\s*\{\{-? ?(?:if|end|with|range)[^}]*\}\}\n/gm, "")
    .replaceAll(/\{\{- toYaml [^}]*\}\}/g, "{}")
    .replaceAll(/\{\{[^}]*\}\}/g, "x");
}

interface Command {
  readonly program: string;
  readonly words: readonly string[];
  /** Flags with their values, in order. The value is an empty string for a flag without a value. */
  readonly flags: readonly (readonly [flag: string, value: string])[];
}

/** Flags of docker, kubectl and helm that have no value. */
const bareFlags = ["--read-only"];

/** Parses the commands in the README. They contain no quotes. */
function commandsOf(block: string): readonly Command[] {
  return block
    .trim()
    .split("\n")
    .map((line) => {
      const [program = "", ...rest] = line.split(" ");
      const words: string[] = [];
      const flags: (readonly [string, string])[] = [];
      while (rest.length > 0) {
        const word = rest.shift() ?? "";
        const [flag = "", given] = word.split("=");
        if (!word.startsWith("-")) words.push(word);
        else flags.push([flag, given ?? (bareFlags.includes(flag) ? "" : (rest.shift() ?? ""))]);
      }
      return { program, words, flags };
    });
}

suite("deploy", (test) => {
  test("the commands in deploy/README.md use only files, ports, folders, users and values that exist", () => {
    const blocks = readBlocks().filter((block) => block.page === "deploy/README.md");
    const [shell = "", plain = ""] = ["sh", ""].map(
      (language) => blocks.find((block) => block.language === language)?.text,
    );
    const container = read("container/Containerfile");
    const values: Readonly<Record<string, unknown>> = parse(read(`${chart}/values.yaml`));
    const [build, start, secret, install, ...others] = commandsOf(shell);
    assert.ok(build && start && secret && install);
    assert.equal(others, []);

    assert.equal([build.program, ...build.words], ["docker", "build", "."]);
    const [[, file = ""] = [], [, tag = ""] = []] = build.flags;
    assert.equal(
      build.flags.map(([flag]) => flag),
      ["-f", "-t"],
    );
    assert.ok(existsSync(join(root, "..", file)), file);
    assert.is(tag, memberOf(values, "image.repository"));

    assert.equal([start.program, ...start.words], ["docker", "run", tag]);
    const given = Object.fromEntries(start.flags);
    const [, folder = ""] = given["--volume"]?.split(":") ?? [];
    assert.match(container, `VOLUME ["${folder}"]`);
    assert.match(container, `MANIFOLD_DATA_DIR=${folder} `);
    const [, port = ""] = given["--publish"]?.split(":") ?? [];
    assert.match(container, `EXPOSE ${port}\n`);
    assert.is(settings.port.shownDefault, port);
    assert.equal(Object.keys(given), [
      "--read-only",
      "--tmpfs",
      "--volume",
      "--publish",
      "--env-file",
    ]);
    const environmentFile = given["--env-file"] ?? "";
    assert.match(read("README.md"), `\`${environmentFile}\``);
    assert.match(read("systemd/manifold.service"), environmentFile);

    const name = memberOf(values, "existingSecret");
    assert.equal(
      [secret.program, ...secret.words],
      ["kubectl", "create", "secret", "generic", name],
    );
    assert.equal(secret.flags, [["--from-env-file", environmentFile]]);

    const [command, , path = ""] = install.words;
    assert.equal([install.program, command], ["helm", "install"]);
    assert.ok(existsSync(join(root, "..", path, "Chart.yaml")), path);
    const set: Record<string, unknown> = { ...values };
    for (const [flag, value] of install.flags) {
      assert.is(flag, "--set");
      const [member = "", text] = value.split("=");
      assert.ok(member in values, member);
      set[member] = parse(text ?? "");
    }
    const schema: object = JSON.parse(read(`${chart}/values.schema.json`));
    const check = Compile(schema);
    assert.ok(check.Check(set), JSON.stringify([...check.Errors(set)]));

    const lines = plain.trim().split("\n");
    const variablesGiven = lines.map((line) => line.split("=")[0] ?? "");
    assert.equal(
      variablesGiven.filter((each) => !variables.has(each)),
      [],
    );
    const [, needed = ""] =
      /# The name of a Secret with (.*)\n/.exec(read(`${chart}/values.yaml`)) ?? [];
    assert.equal(variablesGiven, needed.match(/[A-Z_]{5,}/g));
  });

  test("every environment variable in the deployment files is a setting of the host, Node.js or its compile cache", () => {
    const files = ["container/Containerfile", "systemd/manifold.service", `${chart}/values.yaml`];
    const texts = [...files, ...templates.map((name) => `${chart}/templates/${name}`)].map(read);
    const named = texts.join("\n").match(/\b(?:MANIFOLD_[A-Z_]+|DATABASE_URL)\b/g) ?? [];
    assert.ok(named.length > 5);
    assert.equal(
      named.filter((name) => !variables.has(name)),
      [],
    );
  });

  test("the container image is built in a separate stage and runs as a user of its own", () => {
    const file = DockerfileParser.parse(read("container/Containerfile"));
    const instructions = file.getInstructions().map((each) => ({
      keyword: each.getKeyword(),
      text: each.getTextContent().replace(/^\S+\s+/, ""),
    }));
    const froms = instructions.filter(({ keyword }) => keyword === "FROM");
    assert.is(froms.length, 2);
    for (const { text } of froms)
      assert.match(text, /^[\w/]+:[\w.-]*\d/, "base images have a version");
    const last = instructions.slice(instructions.lastIndexOf(froms[1]!));
    const textsOf = (keyword: string) =>
      last.filter((each) => each.keyword === keyword).map(({ text }) => text);
    assert.equal(textsOf("USER"), ["10001:10001"]);
    assert.is(textsOf("HEALTHCHECK").length, 1);
    assert.match(textsOf("HEALTHCHECK").join(), "/healthz");
    const { bin }: { readonly bin: { readonly manifold: string } } = JSON.parse(
      readFileSync(join(root, "../package.json"), "utf8"),
    );
    const main = join("node_modules/@manifold-analytics/host", bin.manifold);
    assert.equal(textsOf("ENTRYPOINT"), [`["node", "${main}"]`]);
    const built = instructions.map(({ text }) => text).join("\n");
    const { workspaces }: { readonly workspaces: readonly string[] } = JSON.parse(
      readFileSync(join(root, "../package.json"), "utf8"),
    );
    for (const folder of workspaces)
      assert.match(built, `${folder}/package.json ${folder}/`, "npm ci needs every workspace");
    assert.match(built, "npm prune --omit=dev");
    assert.not.match(built, "--omit=optional", "the drivers stay in the image");
    assert.match(textsOf("ENV").join(), "MANIFOLD_INSTALL=off");
    assert.ok(textsOf("COPY").every((text) => text.startsWith("--from=build ")));
    assert.ok(textsOf("RUN").every((text) => !/npm|apt-get|curl|wget|sudo/.test(text)));
    assert.equal(textsOf("ADD"), []);
    const secretWords = /(?:SECRET|TOKEN|PASSWORD|KEY|DATABASE_URL)\s*=/;
    assert.ok(instructions.every(({ text }) => !secretWords.test(text)));
    const isKnown = ({ keyword }: { readonly keyword: string }) =>
      "FROM ENV RUN WORKDIR COPY USER VOLUME EXPOSE HEALTHCHECK STOPSIGNAL ENTRYPOINT CMD"
        .split(" ")
        .includes(keyword);
    assert.ok(instructions.every(isKnown), JSON.stringify(instructions));
    const ignored = read("container/Containerfile.dockerignore").split("\n");
    for (const path of [".git", "**/node_modules", "**/.env*"]) assert.ok(ignored.includes(path));
  });

  test("systemd accepts the unit file, and its service does not run as root and writes only to its own folders", () => {
    const unit = read("systemd/manifold.service");
    for (const line of [
      "User=manifold",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "CapabilityBoundingSet=",
      "KillSignal=SIGTERM",
    ])
      assert.ok(unit.split("\n").includes(line), line);
    // The engine compiles kernels at run time, so it would not start if writable code were forbidden.
    assert.not.match(unit, "MemoryDenyWriteExecute=yes");
    if (!existsSync("/usr/bin/systemd-analyze")) return;
    const folder = mkdtempSync(join(tmpdir(), "manifold-unit-"));
    try {
      const file = join(folder, "manifold.service");
      writeFileSync(file, unit.replace(/^ExecStart=.*$/m, "ExecStart=/bin/true"));
      const said = execFileSync(
        "/bin/sh",
        ["-c", `systemd-analyze verify --recursive-errors=no --man=no "${file}" 2>&1 || true`],
        { encoding: "utf8" },
      );
      const own = said.split("\n").filter((line) => line.includes("manifold.service"));
      assert.equal(own, []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("the Helm chart's values match their schema, which refuses several hosts on a single-host store", () => {
    const schema: object = JSON.parse(read(`${chart}/values.schema.json`));
    const values: Readonly<Record<string, unknown>> = parse(read(`${chart}/values.yaml`));
    const check = Compile(schema);
    assert.ok(check.Check(values), JSON.stringify([...check.Errors(values)]));
    assert.ok(check.Check({ ...values, store: "clickhouse", replicas: 3 }));
    assert.not.ok(check.Check({ ...values, replicas: 3 }));
    assert.not.ok(check.Check({ ...values, settings: { PATH: "/" } }));
    assert.not.ok(check.Check({ ...values, replica: 1 }));
    const about: Readonly<Record<string, unknown>> = parse(read(`${chart}/Chart.yaml`));
    assert.is(about["apiVersion"], "v2");
    const { version }: { version: string } = JSON.parse(
      readFileSync(join(root, "../package.json"), "utf8"),
    );
    assert.is(about["appVersion"], version);
  });

  test("Helm templates use only existing values and are valid YAML once filled in", () => {
    const values: unknown = parse(read(`${chart}/values.yaml`));
    for (const name of templates) {
      const text = read(`${chart}/templates/${name}`);
      for (const [, path = ""] of text.matchAll(/\.Values\.([\w.]+)/g))
        assert.is.not(memberOf(values, path), undefined, `${name}: ${path}`);
      const document: unknown = parse(filled(text));
      assert.type(memberOf(document, "kind"), "string", name);
    }
  });

  test("pods do not run as root, have a read-only root file system, and use the host's probes and grace period", () => {
    const hosts: unknown = parse(filled(read(`${chart}/templates/hosts.yaml`)));
    const pod = memberOf(hosts, "spec.template.spec");
    assert.is(memberOf(pod, "securityContext.runAsNonRoot"), true);
    assert.is(memberOf(pod, "securityContext.runAsUser"), 10001);
    // Kubernetes sets MANIFOLD_PORT to the address of a Service that is named `manifold`.
    assert.is(memberOf(pod, "enableServiceLinks"), false);
    const containers = memberOf(pod, "containers");
    const [container] = Array.isArray(containers) ? containers : [];
    assert.is(memberOf(container, "securityContext.readOnlyRootFilesystem"), true);
    assert.is(memberOf(container, "securityContext.allowPrivilegeEscalation"), false);
    assert.is(memberOf(container, "readinessProbe.httpGet.path"), "/readyz");
    assert.is(memberOf(container, "livenessProbe.httpGet.path"), "/healthz");
  });
});
