import { SaxesParser } from "saxes";
import { PluginError } from "../../protocol/index.ts";

/**
 * Receives the parts of an XML document. Names are resolved by namespace, not by prefix: elements of the root's
 * namespace have local names, and all other elements are left out. Attributes without a prefix keep their names,
 * attributes of the relationships of Office documents are called `r:` and their local name, and all other attributes
 * are left out.
 */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The namespaces of relationships, in the transitional and in the strict form of Office documents. */
const relationshipSpaces: ReadonlySet<string> = new Set([
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  "http://purl.oclc.org/ooxml/officeDocument/relationships",
]);

/** The namespaces by prefix that apply to an element and its content. The prefix of the default namespace is "". */
interface Scope {
  readonly depth: number;
  readonly spaces: ReadonlyMap<string, string>;
}

/**
 * Parses XML chunk by chunk, and yields after each chunk. Entities that a document type declares are not expanded. The
 * encoding is UTF-8 or UTF-16, as in Office documents.
 * @throws {PluginError} PLUGIN_UNREADABLE for bytes that are not XML, and for prefixes that are not declared
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false });
  const scopes: Scope[] = [{ depth: 0, spaces: new Map([["xml", "xml"]]) }];
  let scope = scopes[0]!;
  let depth = 0;
  let rootSpace: string | undefined;
  const isOwn = (name: string, colon: number): boolean =>
    (colon < 0 ? scope.spaces.get("") : spaceOf(scope, name.slice(0, colon))) === rootSpace;
  parser.on("opentag", ({ name, attributes }) => {
    depth++;
    let given = attributes;
    if (!hasPlainNames(attributes)) {
      scope = declared(scope, depth, attributes);
      if (scope.depth === depth) scopes.push(scope);
      given = resolved(scope, attributes);
    }
    const colon = name.indexOf(":");
    if (depth === 1)
      rootSpace = colon < 0 ? scope.spaces.get("") : spaceOf(scope, name.slice(0, colon));
    if (isOwn(name, colon)) handlers.open?.(name.slice(colon + 1), given);
  });
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("cdata", (text) => handlers.text?.(text));
  parser.on("closetag", ({ name }) => {
    const colon = name.indexOf(":");
    if (isOwn(name, colon)) handlers.close?.(name.slice(colon + 1));
    if (scope.depth === depth && scopes.length > 1) {
      scopes.pop();
      scope = scopes.at(-1)!;
    }
    depth--;
  });
  parser.on("error", (cause) => {
    throw damaged(cause);
  });
  let decoder: TextDecoder | undefined;
  try {
    for await (const part of bytes) {
      decoder ??= new TextDecoder(encodingOf(part), { fatal: true });
      parser.write(decoder.decode(part, { stream: true }));
      yield;
    }
    parser.write(decoder?.decode() ?? "").close();
  } catch (cause) {
    throw cause instanceof TypeError ? damaged(cause) : cause;
  }
  yield;
}

function hasPlainNames(attributes: Readonly<Record<string, string>>): boolean {
  for (const name in attributes) if (name === "xmlns" || name.includes(":")) return false;
  return true;
}

/** Returns the scope of an element; the given scope if the element declares no namespace. */
function declared(
  scope: Scope,
  depth: number,
  attributes: Readonly<Record<string, string>>,
): Scope {
  let spaces: Map<string, string> | undefined;
  for (const [name, space] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    spaces ??= new Map(scope.spaces);
    spaces.set(name.slice("xmlns:".length), space);
  }
  return spaces ? { depth, spaces } : scope;
}

function resolved(
  scope: Scope,
  attributes: Readonly<Record<string, string>>,
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const colon = name.indexOf(":");
    if (colon < 0) given[name] = value;
    else if (
      !name.startsWith("xmlns:") &&
      relationshipSpaces.has(spaceOf(scope, name.slice(0, colon)))
    )
      given[`r:${name.slice(colon + 1)}`] = value;
  }
  return given;
}

function spaceOf(scope: Scope, prefix: string): string {
  const space = scope.spaces.get(prefix);
  if (space === undefined)
    throw damaged(new Error(`the prefix ${prefix.slice(0, 40)} is not declared`));
  return space;
}

/** Returns the encoding of XML by its first bytes: UTF-16 has a byte order mark, or a NUL in its first character. */
function encodingOf(start: Uint8Array): string {
  const [first = 0, second = 0] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0 && start.length > 1))
    return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  return "utf-8";
}

function damaged(cause: unknown): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", ["it contains damaged or truncated XML"], { cause });
}
