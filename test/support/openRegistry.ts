import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

/** A version of a package as npm publishes it: its `package.json`, and where its tarball is. */
interface PublishedVersion extends Json {
  readonly dist: { readonly tarball: string; readonly integrity: string };
}

/** The document of a package. */
export interface PublishedPackage {
  readonly name: string;
  readonly "dist-tags": Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, PublishedVersion>>;
}

/** The body of npm's PUT: the document with the tarball in it. */
interface Publication extends PublishedPackage {
  readonly _attachments: Readonly<
    Record<string, { readonly data: string; readonly length: number }>
  >;
}

/** A registry of npm on loopback that takes one package; npm gets all others from the registry that it would use. */
export interface Registry {
  readonly url: string;
  /** The document of the package; undefined before it was published. */
  published(): PublishedPackage | undefined;
  /** The tarball of a version. */
  tarball(version: string): Buffer | undefined;
  close(): Promise<void>;
}

export interface RegistryOptions {
  readonly name: string;
  /** The token that whoever publishes must send. */
  readonly token: string;
  /** The registry of all other packages. */
  readonly others: string;
}

/**
 * Opens a registry with the part of npm's protocol that publishing and installing use: PUT of a document with its
 * tarball, GET of the document and of the tarball. A version is published once.
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
      return void refuse(response, 400, "the tarball has another length");
    tarballs.set(version, tarball);
    published = {
      ...document,
      "dist-tags": { ...published?.["dist-tags"], ...document["dist-tags"] },
      versions: { ...published?.versions, ...document.versions },
    };
    response.writeHead(201, { "Content-Type": "application/json" }).end('{"ok":true}');
  }

  /** The document, in which tarballs are at this registry. */
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
