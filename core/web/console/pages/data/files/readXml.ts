import { UnreadableFile } from "./fileTable.ts";

/** Callbacks for the tags and text of an XML document. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Matches a comment, a CDATA section, an instruction, a tag with its name, attributes and end, or text. */
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<(\/?)([^\s/>!?="']+)((?:\s+[^\s=>/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/**
 * Parses the XML of a workbook and reports names without their prefix. Only the five predefined entities are supported,
 * so a small file cannot expand to a large document. O(length).
 * @throws {UnreadableFile} if the XML is truncated or wrongly nested, or declares a document type
 */
export function readXml(content: string, { open, text, close }: XmlReader): void {
  const scan = new RegExp(token);
  const opened: string[] = [];
  const source = content.replace(/^\uFEFF/, "");
  while (scan.lastIndex < source.length) {
    const match = scan.exec(source);
    if (!match) throw damaged();
    const [, section, slash, tag, given = "", end, plain] = match;
    if (section !== undefined) text?.(section);
    else if (plain !== undefined) text?.(decoded(plain));
    else if (tag === undefined) continue;
    else if (slash === "/") {
      if (opened.pop() !== tag) throw damaged();
      close?.(localName(tag));
    } else {
      open?.(localName(tag), attributesIn(given));
      if (end === "/") close?.(localName(tag));
      else opened.push(tag);
    }
  }
  if (opened.length > 0) throw damaged();
}

const damaged = () => new UnreadableFile("A part of the workbook is damaged.");

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

function attributesIn(given: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", double, single] of given.matchAll(attribute))
    attributes[name] = decoded(double ?? single ?? "");
  return attributes;
}

const decoded = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(/&(#x?)?([\da-z]+);/gi, (whole, number: string | undefined, name: string) => {
        if (number === undefined) return entities[name] ?? whole;
        const code = Number.parseInt(name, number === "#" ? 10 : 16);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
      })
    : text;
