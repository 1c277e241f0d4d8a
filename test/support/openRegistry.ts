import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

/** A package version as npm publishes it: its `package.json` and the location of its tarball. */
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

/** An npm registry on loopback that accepts one package. npm gets all other packages from the usual registry. */
export interface Registry {
  readonly url: string;
  /** Returns the document of the package, or undefined before the package is published. */
  published(): PublishedPackage | undefined;
  /** Returns the tarball of a version. */
  tarball(version: string): Buffer | undefined;
  close(): Promise<void>;
}

export interface RegistryOptions {
  readonly name: string;
  /** The token that a client needs to publish. */
  readonly token: string;
  /** The URL of the registry that has all other packages. */
  readonly others: string;
}

/**
 * Opens a registry with the parts of npm's protocol that publishing and installing use: PUT of a document with its
 * tarball, and GET of the document and of the tarball. Each version can be published only once.
 */
export async function openRegistry({ name, token, others }: RegistryOptions): Promise<Registry> {
  let published: PublishedPackage | undefined;
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
    if (published?.versions[version])
      return void refuse(response, 403, `you cannot publish over version ${version}`);
    if (tarball.length === 0 || tarball.length !== attachment?.length)
      return void refuse(response, 400, "the tarball has the wrong length");
    tarballs.set(version, tarball);
    published = {
      ...document,
      "dist-tags": { ...published?.["dist-tags"], ...document["dist-tags"] },
      versions: { ...published?.versions, ...document.versions },
    };
    response.writeHead(201, { "Content-Type": "application/json" }).end('{"ok":true}');
  }

  /** Returns the document with the tarballs' addresses at this registry. */
  const presented = (document: PublishedPackage): PublishedPackage => ({
    ...document,
    versions: Object.fromEntries(
      Object.entries(document.versions).map(([version, each]) => [
        version,
        { ...each, dist: { ...each.dist, tarball: `${url}/${name}/-/${name}-${version}.tgz` } },
      ]),
    ),
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const [, version = ""] = new RegExp(`^/${name}/-/${name}-(.+)\\.tgz$`).exec(path) ?? [];
    response.setHeader("Cache-Control", "no-store");
    if (path === `/${name}` && request.method === "PUT") return publish(request, response);
    if (request.method !== "GET") return void refuse(response, 404, "not found");
    if (path === `/${name}` && !published) refuse(response, 404, "not found");
    else if (path === `/${name}` && published)
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify(presented(published)));
    else if (tarballs.has(version))
      response
        .writeHead(200, { "Content-Type": "application/octet-stream" })
        .end(tarballs.get(version));
    else response.writeHead(302, { Location: others.replace(/\/+$/, "") + request.url }).end();
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
    published: () => published,
    tarball: (version) => tarballs.get(version),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
