import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A name that a declaration file imports or exports, and its name in the file that declares it. */
interface Named {
  readonly file: string;
  readonly name: string;
}

const statement = /^(import|export)( type)? \{([^}]*)\} from "(\.[^"]+)";$/gm;
const part = /^(type )?(\w+)(?: as (\w+))?$/;

export interface DeclarationsOptions {
  /** Folder with the compiled files. */
  readonly from: string;
  readonly to: string;
  /** Path of the declaration file of the package's main export. */
  readonly entry: string;
}

/**
 * Writes the declarations that an entry needs, and no others. Imports skip the `index.ts` of a folder and refer to the
 * files that declare the names, because an `index.ts` declares everything that its folder exports.
 * @throws {Error} if an `index.ts` does not export a name by a named export
 */
export function writeDeclarations({ from, to, entry }: DeclarationsOptions): void {
  const read = (file: string) => readFileSync(join(from, file), "utf8");
  const pathOf = (file: string, specifier: string) =>
    join(dirname(file), specifier).replace(/\.[jt]s$/, ".d.ts");
  const partsOf = (list: string) =>
    list
      .split(",")
      .map((each) => part.exec(each.trim()))
      .filter((each) => each !== null);

  /** Follows a name through `index.ts` files to the file that declares it. */
  const find = ({ file, name }: Named): Named => {
    if (!file.endsWith("/index.d.ts")) return { file, name };
    for (const [, keyword, , list = "", specifier = ""] of read(file).matchAll(statement))
      for (const [, , inner = "", outer = inner] of keyword === "export" ? partsOf(list) : [])
        if (outer === name) return find({ file: pathOf(file, specifier), name: inner });
    throw new Error(`${file} does not export ${name} by name`);
  };

  const files = new Set([entry]);
  for (const file of files) {
    const follow = (keyword: string, list: string, specifier: string) =>
      partsOf(list)
        .map(([, type = "", inner = "", outer = inner]) => {
          const found = find({ file: pathOf(file, specifier), name: inner });
          files.add(found.file);
          const path = relative(dirname(file), found.file).replace(/\.d\.ts$/, ".js");
          const renamed = found.name === outer ? outer : `${found.name} as ${outer}`;
          const named = keyword === "export" ? type + renamed : renamed;
          return `${keyword} { ${named} } from "${path.startsWith(".") ? path : `./${path}`}";`;
        })
        .join("\n");
    const text = read(file).replaceAll(
      statement,
      (_, keyword: string, type: string | undefined, list: string, specifier: string) =>
        follow(keyword === "import" ? `import${type ?? " type"}` : keyword, list, specifier),
    );
    const left = /(?:from|import\() ?"(\.[^"]+\.ts)"/.exec(text)?.[1];
    if (left !== undefined) throw new Error(`${file} imports ${left} other than by name`);
    if (!existsSync(join(to, dirname(file))))
      mkdirSync(join(to, dirname(file)), { recursive: true });
    writeFileSync(join(to, file), text);
  }
}
