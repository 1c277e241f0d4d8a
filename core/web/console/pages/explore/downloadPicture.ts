import { createColors, drawItem, kindOfItem, lightTheme, loadKind } from "../../../charts/index.ts";
import { paintScene, saveFile } from "../../../embed/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import { notifyFailure } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";

const size = { width: 1_200, height: 720 };
const pixelRatio = 2;

/** Downloads the chart of an answer as a PNG of 2,400 by 1,440 pixels, in the light theme. */
export async function downloadPicture(answered: AnsweredItem, name: string): Promise<void> {
  try {
    const { item } = answered;
    const draw = await loadKind(kindOfItem(item.type)?.kind ?? "table", readerLocale);
    const scene = drawItem(
      {
        ...answered,
        ...size,
        theme: lightTheme,
        colors: createColors(lightTheme),
        localeId: readerLocale,
        timezoneId: readerZone,
        nowMs: Date.now(),
      },
      draw,
    );
    const canvas = document.createElement("canvas");
    paintScene(scene, canvas, { pixelRatio, font: "" });
    const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!file) throw new Error("the browser could not create the picture");
    saveFile(file, scene.title || name, "png");
  } catch (failure) {
    notifyFailure(failure);
  }
}
