const faces = [
  { family: "IBM Plex Sans", weight: "400", file: 400 },
  { family: "IBM Plex Sans", weight: "600", file: 600 },
  // The bold file has its own family name, because rasterizers select fonts by family.
  { family: "IBM Plex Sans SemiBold", weight: "400 900", file: 600 },
] as const;

const loaded = new Map<string, Promise<void>>();

/**
 * Loads the font with which pictures are measured. It is loaded from the host, once per page. The files are fetched and
 * become font faces in memory, so a content policy needs `connect-src` for the host but no `font-src`. If loading
 * fails, pictures use the fonts of the system.
 */
export function loadFonts(hostUrl: string): Promise<void> {
  const known = loaded.get(hostUrl);
  if (known) return known;
  const loading = load(hostUrl).catch(() => {
    // The next item tries again. Data is shown even if the font is missing.
    loaded.delete(hostUrl);
  });
  loaded.set(hostUrl, loading);
  return loading;
}

async function load(hostUrl: string): Promise<void> {
  const files = new Map<number, Promise<ArrayBuffer>>();
  const read = async (file: number) => {
    const response = await fetch(new URL(`assets/ibm-plex-sans-${file}.woff2`, `${hostUrl}/`));
    if (!response.ok)
      throw new TypeError(
        `the host responded to the request for a font with status ${response.status}`,
      );
    return response.arrayBuffer();
  };
  await Promise.all(
    faces.map(async ({ family, weight, file }) => {
      const bytes = files.get(file) ?? read(file);
      files.set(file, bytes);
      const face = new FontFace(family, await bytes, { weight });
      await face.load();
      document.fonts.add(face);
    }),
  );
}
