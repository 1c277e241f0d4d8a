import type { Scene } from "../../../../core/web/charts/index.ts";
import { openFonts, writePng } from "../../../../core/exports/index.ts";
import { drawSample } from "../../web/charts/drawSample.ts";
import { samples } from "../../web/charts/samples.ts";

/** The pictures in the folder `kept`. They show each sample in both themes. */
export const keptPictures = samples.flatMap((sample) =>
  (["light", "dark"] as const).map((theme) => {
    const name = `${sample.name.replaceAll(" ", "-")}-${theme}.png`;
    return {
      name,
      file: new URL(`kept/${name}`, import.meta.url),
      draw: () => drawSample(sample, { width: 480, height: 300, theme }),
    };
  }),
);

const fonts = openFonts();

/** Draws a scene as a PNG with the scene's size in pixels. */
export async function pngOf(scene: Scene): Promise<Buffer> {
  const texts = scene.nodes.flatMap((node) => (node.kind === "text" ? node.text : []));
  const { faces } = await fonts.facesOf(texts);
  const { width, height, background, title } = scene;
  const page = { width, height, background, title, placed: [{ x: 0, y: 0, scene }] };
  return writePng(page, { faces, scale: 1 });
}
