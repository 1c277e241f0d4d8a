import type PDFDocument from "pdfkit";
import type { SceneNode, TextNode } from "../../web/charts/index.ts";
import type { DocumentPage } from "../pages/layPages.ts";
import { createPause } from "../createPause.ts";
import type { FontFace } from "./openFonts.ts";
import { splitRuns } from "./splitRuns.ts";

/** Points per pixel on a screen: an inch has 72 points and 96 pixels. */
export const screenPoints = 0.75;

type Document = InstanceType<typeof PDFDocument>;

/**
 * Draws pages as a PDF. Only the used glyphs of the fonts are embedded, so that text can be selected and searched.
 * Cells that contain a web address are links. Yields to other work from time to time.
 */
export async function writePdf(
  pages: readonly DocumentPage[],
  faces: readonly FontFace[],
): Promise<Buffer> {
  // pdfkit is loaded with the first picture instead of at the start, because loading it takes 0.1 s.
  const { default: PdfDocument } = await import("pdfkit");
  const document = new PdfDocument({
    autoFirstPage: false,
    info: { Title: pages[0]?.title ?? "", Creator: "Manifold" },
    displayTitle: true,
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.once("end", resolve);
    document.once("error", reject);
  });
  for (const [index, { data }] of faces.entries()) document.registerFont(String(index), data);
  const pause = createPause();
  for (const { width, height, pointsPerPixel, background, placed } of pages) {
    document.addPage({ size: [width * pointsPerPixel, height * pointsPerPixel], margin: 0 });
    document.scale(pointsPerPixel);
    document.rect(0, 0, width, height).fill(background);
    for (const { x, y, scene } of placed) {
      document.save();
      document.translate(x, y);
      document.rect(0, 0, scene.width, scene.height).clip();
      document.rect(0, 0, scene.width, scene.height).fill(scene.background);
      for (const node of scene.nodes) {
        drawNode(document, node, faces);
        await pause();
      }
      document.restore();
    }
  }
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawNode(document: Document, node: SceneNode, faces: readonly FontFace[]): void {
  if (node.kind === "text") return drawText(document, node, faces);
  const { fill = "none", stroke, strokeWidth = 1, dash, opacity = 1 } = node;
  const hasFill = fill !== "none";
  if (!hasFill && stroke === undefined) return;
  // Skips marks that carry data but draw nothing.
  if (node.kind === "circle" && node.radius <= 0) return;
  document.save();
  document.opacity(opacity);
  if (node.kind === "rect") {
    const { x, y, width, height, radius = 0 } = node;
    const round = Math.min(radius, width / 2, height / 2);
    if (round > 0) document.roundedRect(x, y, width, height, round);
    else document.rect(x, y, width, height);
  } else if (node.kind === "circle") document.circle(node.x, node.y, node.radius);
  else document.path(node.d);
  if (stroke !== undefined) document.lineWidth(strokeWidth).lineJoin("round");
  if (stroke !== undefined && dash) document.dash(dash[0], { space: dash[1] });
  if (hasFill && stroke !== undefined) document.fillAndStroke(fill, stroke);
  else if (hasFill) document.fill(fill);
  else if (stroke !== undefined) document.stroke(stroke);
  document.restore();
}

/** Draws a line of text in runs, each with a face that has its characters. */
function drawText(document: Document, node: TextNode, faces: readonly FontFace[]): void {
  const runs = splitRuns(node.text, node.weight, faces).map(({ text, face }) => {
    document.font(String(faces.indexOf(face))).fontSize(node.size);
    return { text, face, width: document.widthOfString(text) };
  });
  const width = runs.reduce((sum, run) => sum + run.width, 0);
  let x = node.x - (node.anchor === "end" ? width : node.anchor === "middle" ? width / 2 : 0);
  document.save();
  if (node.angle !== undefined) document.rotate(node.angle, { origin: [node.x, node.y] });
  document.fillColor(node.fill);
  for (const { text, face, width: advance } of runs) {
    document
      .font(String(faces.indexOf(face)))
      .fontSize(node.size)
      .text(text, x, node.y, { baseline: "alphabetic", lineBreak: false });
    x += advance;
  }
  document.restore();
  const address = addressOf(node);
  if (address === undefined) return;
  const left = x - width;
  document.link(left, node.y - node.size, width, node.size * 1.3, address);
}

/** Returns the web address that a cell contains; undefined for other text. */
function addressOf({ text, mark }: TextNode): string | undefined {
  const written = mark?.value || text;
  return /^https?:\/\/\S+$/i.test(written) ? URL.parse(written)?.href : undefined;
}
