const faces = [
  { family: "IBM Plex Sans", weight: "400", file: 400 },
  { family: "IBM Plex Sans", weight: "600", file: 600 },
  // Pictures name the bold file as a family of its own, since rasterizers go by it.
  { family: "IBM Plex Sans SemiBold", weight: "400 900", file: 600 },
] as const;

const loaded = new Map<string, Promise<void>>();

/**
 * Loads the font that pictures are measured with, from a host, once for a page. The files come by `fetch` and become
 * faces from memory: a policy needs `connect-src` for the host and no `font-src`. Without them, pictures show in the
 * fonts of the machine.
 */
export function loadFonts(hostUrl: string): Promise<void> {
  const known = loaded.get(hostUrl);
  if (known) return known;
  const loading = load(hostUrl).catch(() => {
    // The next item tries again; a font that is missing is no reason to show no data.
    loaded.delete(hostUrl);
  });
  loaded.set(hostUrl, loading);
  return loading;
}

async function load(hostUrl: string): Promise<void> {
  const files = new Map<number, Promise<ArrayBuffer>>();
  const read = async (file: number) => {
    const response = await fetch(new URL(`assets/ibm-plex-sans-${file}.woff2`, `${hostUrl}/`));
    if (!response.ok) throw new TypeError(`the font was answered with ${response.status}`);
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
