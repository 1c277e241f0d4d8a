import type PDFDocument from "pdfkit";
import type { Page, SceneNode, TextNode } from "../../web/charts/index.ts";
import { createPause } from "./createPause.ts";
import type { FontFace } from "./openFonts.ts";
import { splitRuns } from "./splitRuns.ts";

/** Points per pixel: an inch has 72 points and 96 pixels. */
const pointsPerPixel = 0.75;

type Document = InstanceType<typeof PDFDocument>;

/**
 * Draws a page as a PDF with one page. Only the used glyphs of the fonts are embedded, so that text can be selected and
 * searched. Yields to other work from time to time.
 */
export async function writePdf(page: Page, faces: readonly FontFace[]): Promise<Buffer> {
  // pdfkit is loaded with the first picture instead of at the start, because loading it takes 0.1 s.
  const { default: PdfDocument } = await import("pdfkit");
  const document = new PdfDocument({
    size: [page.width * pointsPerPixel, page.height * pointsPerPixel],
    margin: 0,
    info: { Title: page.title, Creator: "Manifold" },
    displayTitle: true,
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    document.once("end", resolve);
    document.once("error", reject);
  });
  for (const [index, { data }] of faces.entries()) document.registerFont(String(index), data);
  document.scale(pointsPerPixel);
  document.rect(0, 0, page.width, page.height).fill(page.background);
  const pause = createPause();
  for (const { x, y, scene } of page.placed) {
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
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawNode(document: Document, node: SceneNode, faces: readonly FontFace[]): void {
  if (node.kind === "text") return drawText(document, node, faces);
  const { fill = "none", stroke, strokeWidth = 1, opacity = 1 } = node;
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
  document.fillColor(node.fill);
  for (const { text, face, width: advance } of runs) {
    document
      .font(String(faces.indexOf(face)))
      .fontSize(node.size)
      .text(text, x, node.y, { baseline: "alphabetic", lineBreak: false });
    x += advance;
  }
}
