import { svg, html, type TemplateResult } from "lit";
import { encode } from "uqr";

/** Width of the white border in modules. Scanners need a border, and ISO/IEC 18004 requires four modules. */
const quietModules = 4;
/** Pixels per module. With an integer, all modules have the same size. */
const modulePixels = 4;

/** Draws a string as a QR code. The code is black on white even in dark mode, because scanners need this contrast. */
export function qrCode(text: string, label: string): TemplateResult {
  const { size, data } = encode(text, { border: quietModules, ecc: "M" });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  const modules = svg`<rect width=${size} height=${size} fill="#fff"></rect><path d=${path} fill="#000"></path>`;
  return html`<svg
    viewBox="0 0 ${size} ${size}"
    width=${size * modulePixels}
    role="img"
    aria-label=${label}
    shape-rendering="crispEdges"
  >
    ${modules}
  </svg>`;
}
