import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodePackage } from "../../../../core/cli/ownNode/nodePackages.ts";

/** A registry on loopback with one package, which contains a shell script in place of Node.js. */
export interface ServedPackage {
  readonly nodePackage: NodePackage;
  /** Variables that make npm use this registry and an empty cache. */
  readonly environment: Readonly<Record<string, string>>;
  /** Number of downloads so far. */
  downloadCount(): number;
  close(): Promise<void>;
}

const [name, version] = ["node-test-x64", "26.10.0"];

/** Serves a package whose `bin/node` is `script`. */
export async function servePackage(script: string): Promise<ServedPackage> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-node-package-"));
  const source = join(folder, "package");
  mkdirSync(join(source, "bin"), { recursive: true });
  mkdirSync(join(source, "include"));
  writeFileSync(join(source, "include/node.h"), "");
  writeFileSync(join(source, "package.json"), JSON.stringify({ name, version }));
  writeFileSync(join(source, "bin/node"), script);
  chmodSync(join(source, "bin/node"), 0o755);
  const file = join(folder, "package.tgz");
  execFileSync("tar", ["-czf", file, "-C", folder, "package"]);
  const tarball = readFileSync(file);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  let count = 0;
  const server = createServer((request, response) => {
    if (request.url === `/${name}`) {
      const dist = { tarball: `${url()}/${name}.tgz`, integrity };
      const versions = { [version]: { name, version, dist } };
      response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
    } else if (request.url === `/${name}.tgz`) {
      count++;
      response.end(tarball);
    } else response.writeHead(404).end("{}");
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    nodePackage: { name, version, integrity },
    environment: {
      npm_config_registry: url(),
      npm_config_cache: join(folder, "cache"),
    },
    downloadCount: () => count,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
