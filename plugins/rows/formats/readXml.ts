import { SaxesParser } from "saxes";
import { PluginError } from "../../protocol/index.ts";

/** Receives the parts of an XML document. Names are passed without their prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses XML chunk by chunk, and yields after each chunk. Entities that a document type declares are not expanded.
 * @throws {PluginError} PLUGIN_UNREADABLE for bytes that are not XML
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false });
  const local = (name: string) => name.slice(name.indexOf(":") + 1);
  parser.on("opentag", ({ name, attributes }) => handlers.open?.(local(name), attributes));
  parser.on("text", (text) => handlers.text?.(text));
  parser.on("cdata", (text) => handlers.text?.(text));
  parser.on("closetag", ({ name }) => handlers.close?.(local(name)));
  parser.on("error", (cause) => {
    throw new PluginError("PLUGIN_UNREADABLE", ["it contains damaged or truncated XML"], {
      cause,
    });
  });
  const decoder = new TextDecoder();
  for await (const part of bytes) {
    parser.write(decoder.decode(part, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}
