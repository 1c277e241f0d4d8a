import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fontScripts } from "./fontScripts.ts";
import { readWoff } from "./readWoff.ts";

/** A file of the shipped font. */
export interface FontFace {
  readonly weight: 400 | 600;
  readonly data: Buffer;
  /** The code points that it can draw. */
  readonly characters: ReadonlySet<number>;
  /** Its place on the disk, for libraries that read files only. */
  readonly path: string;
}

export interface Fonts {
  /** Faces of each weight, in the order in which characters are looked up. */
  faces(): Promise<readonly FontFace[]>;
  close(): Promise<void>;
}

async function charactersOf(data: Buffer): Promise<ReadonlySet<number>> {
  // Loaded with the first picture, as pdfkit is.
  const { create } = await import("fontkit");
  const font = create(data);
  return new Set("characterSet" in font ? font.characterSet : []);
}

/** Opens the shipped font, IBM Plex Sans: unpacked at its first use to a folder that `close` removes. */
export function openFonts(): Fonts {
  let opened: Promise<{ readonly folder: string; readonly faces: readonly FontFace[] }> | undefined;
  const unpack = async () => {
    const folder = await mkdtemp(join(tmpdir(), "manifold-fonts-"));
    const faces = await Promise.all(
      ([400, 600] as const).flatMap((weight) =>
        fontScripts.map(async (script) => {
          const name = `ibm-plex-sans-${script}-${weight}-normal`;
          const source = import.meta.resolve(`@fontsource/ibm-plex-sans/files/${name}.woff`);
          const data = readWoff(await readFile(fileURLToPath(source)));
          const path = join(folder, `${name}.ttf`);
          await writeFile(path, data);
          return { weight, data, path, characters: await charactersOf(data) };
        }),
      ),
    );
    return { folder, faces };
  };
  return {
    async faces() {
      opened ??= unpack();
      return (await opened).faces;
    },
    async close() {
      const folder = await opened?.then(
        ({ folder }) => folder,
        () => undefined,
      );
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
