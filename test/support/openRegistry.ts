import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { shell } from "./buildPackages.ts";

type Json = Readonly<Record<string, unknown>>;

/** A package version in the form in which npm publishes it: its `package.json`, and the location of its tarball. */
interface PublishedVersion extends Json {
  readonly dist: { readonly tarball: string; readonly integrity: string };
}

/** The registry document of a package. */
export interface PublishedPackage {
  readonly name: string;
  readonly "dist-tags": Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, PublishedVersion>>;
}

/** The body of npm's PUT request, which contains the document and the tarball. */
interface Publication extends PublishedPackage {
  readonly _attachments: Readonly<
    Record<string, { readonly data: string; readonly length: number }>
  >;
}

/**
 * An npm registry on loopback that accepts the packages of a scope. npm gets all other packages from the usual
 * registry.
 */
export interface Registry {
  readonly url: string;
  /** Returns the names of the published packages, in the order of their publication. */
  names(): readonly string[];
  /** Returns the document of a package, or undefined before the package is published. */
  published(name: string): PublishedPackage | undefined;
  /** Returns the tarball of a version. */
  tarball(name: string, version: string): Buffer | undefined;
  close(): Promise<void>;
}

export interface RegistryOptions {
  /** The scope of the packages, such as `@acme`. */
  readonly scope: string;
  /** The token that a client needs to publish. */
  readonly token: string;
  /** The URL of the registry that has all other packages. */
  readonly others: string;
}

/**
 * Opens a registry with the parts of npm's protocol that publishing and installing use: PUT of a document with its
 * tarball, and GET of the document and of the tarball. Each version can be published only once.
 */
export async function openRegistry({ scope, token, others }: RegistryOptions): Promise<Registry> {
  const published = new Map<string, PublishedPackage>();
  const tarballs = new Map<string, Buffer>();
  let url = "";

  const refuse = (response: ServerResponse, status: number, error: string) =>
    response
      .writeHead(status, { "Content-Type": "application/json" })
      .end(JSON.stringify({ error }));

  async function publish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    if (request.headers.authorization !== `Bearer ${token}`)
      return void refuse(response, 401, "you must log in to publish packages");
    const { _attachments, ...document } = JSON.parse(body) as Publication;
    const [version = ""] = Object.keys(document.versions);
    const [attachment] = Object.values(_attachments);
    const tarball = Buffer.from(attachment?.data ?? "", "base64");
    const before = published.get(document.name);
    if (before?.versions[version])
      return void refuse(response, 403, `you cannot publish over version ${version}`);
    if (tarball.length === 0 || tarball.length !== attachment?.length)
      return void refuse(response, 400, "the tarball has the wrong length");
    tarballs.set(`${document.name}@${version}`, tarball);
    published.set(document.name, {
      ...document,
      "dist-tags": { ...before?.["dist-tags"], ...document["dist-tags"] },
      versions: { ...before?.versions, ...document.versions },
    });
    response.writeHead(201, { "Content-Type": "application/json" }).end('{"ok":true}');
  }

  /** Returns the document with the tarballs' addresses at this registry. */
  const presented = (document: PublishedPackage): PublishedPackage => ({
    ...document,
    versions: Object.fromEntries(
      Object.entries(document.versions).map(([version, each]) => [
        version,
        { ...each, dist: { ...each.dist, tarball: `${url}/${document.name}/-/${version}.tgz` } },
      ]),
    ),
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/");
    const [, name = "", version] = /^\/(@[^/]+\/[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    response.setHeader("Cache-Control", "no-store");
    if (!name.startsWith(`${scope}/`)) {
      if (request.method === "PUT") return void refuse(response, 403, "this is not your scope");
      return void response
        .writeHead(302, { Location: others.replace(/\/+$/, "") + request.url })
        .end();
    }
    if (request.method === "PUT" && version === undefined) return publish(request, response);
    const document = published.get(name);
    const tarball = tarballs.get(`${name}@${version}`);
    if (request.method === "GET" && version !== undefined && tarball)
      response.writeHead(200, { "Content-Type": "application/octet-stream" }).end(tarball);
    else if (request.method === "GET" && version === undefined && document)
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify(presented(document)));
    else refuse(response, 404, "not found");
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      refuse(response, 500, String(failure));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    names: () => [...published.keys()],
    published: (name) => published.get(name),
    tarball: (name, version) => tarballs.get(`${name}@${version}`),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns the address of the registry from which this machine installs packages. */
export async function registryOfTree(): Promise<string> {
  const { stdout } = await shell("npm config get registry", import.meta.dirname);
  return stdout.trim();
}
