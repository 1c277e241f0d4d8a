import { createHash } from "node:crypto";
import type { Middleware } from "koa";

/**
 * The script of the outer frame. It creates the frame of the chart, and forwards the page's first message to this
 * frame. The message contains the chart's script, and a port for messages to the page.
 */
const outerScript = `addEventListener("message", (event) => {
  if (event.source !== parent || !event.ports[0]) return;
  const inner = document.createElement("iframe");
  inner.setAttribute("sandbox", "allow-scripts");
  inner.addEventListener("load", () => inner.contentWindow.postMessage(event.data, "*", [event.ports[0]]), { once: true });
  inner.src = "chart-frame/content";
  document.body.replaceChildren(inner);
}, { once: true });
parent.postMessage("manifold:frame", "*");`;

/**
 * The script of the inner frame, which runs the chart's script. docs/CUSTOM_CHARTS.md describes the contract of a
 * chart's script.
 */
const innerScript = `addEventListener("message", (event) => {
  const port = event.ports[0];
  if (event.source !== parent || !port) return;
  const { script } = event.data;
  const fail = (failure) => port.postMessage({ type: "failure", message: String(failure && failure.message || failure) });
  addEventListener("error", (event) => fail(event.error || event.message));
  addEventListener("unhandledrejection", (event) => fail(event.reason));
  const chart = {
    draw: () => {},
    filter: (rows) => port.postMessage({ type: "filter", rows }),
    resize: (height) => port.postMessage({ type: "size", height }),
  };
  globalThis.manifold = chart;
  // No policy stops connections of WebRTC (https://github.com/w3c/webappsec-csp/issues/92).
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete globalThis[name];
  // No policy stops the hints of a link, such as preconnect, so the frame cannot create links. Trusted Types refuse
  // markup from strings (below); custom element classes and parsers without trusted types are the other ways.
  const refuse = () => { throw new DOMException("charts cannot create links", "SecurityError"); };
  const forge = (name, place) => {
    const make = Document.prototype[name];
    Object.defineProperty(Document.prototype, name, {
      value(...given) {
        given[place] = String(given[place]);
        if (/(^|:)link$/i.test(given[place])) refuse();
        return make.apply(this, given);
      },
      writable: false,
      configurable: false,
    });
  };
  forge("createElement", 0);
  forge("createElementNS", 1);
  for (const [owner, name] of [
    [CustomElementRegistry.prototype, "define"],
    [Element.prototype, "setHTML"],
    [ShadowRoot.prototype, "setHTML"],
    [Document, "parseHTML"],
    [globalThis, "XSLTProcessor"],
    [globalThis, "Sanitizer"],
  ])
    if (name in owner)
      Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
  const element = document.createElement("script");
  const policy = globalThis.trustedTypes && trustedTypes.createPolicy("manifold", { createScript: (text) => text });
  element.textContent = policy ? policy.createScript(script) : script;
  document.head.append(element);
  port.onmessage = ({ data }) => { try { chart.draw(data); } catch (failure) { fail(failure); } };
  port.postMessage({ type: "ready" });
}, { once: true });`;

const outerStyle =
  "html,body{margin:0;height:100%;overflow:hidden}iframe{display:block;width:100%;height:100%;border:0}";
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Policy of the outer frame. It allows only the inner frame, so that a chart that navigates away cannot reach another
 * address.
 */
const outerPolicy = [
  "sandbox allow-scripts",
  "default-src 'none'",
  `script-src ${hashOf(outerScript)}`,
  `style-src ${hashOf(outerStyle)}`,
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * Policy of the inner frame. It allows scripts to run but not to send requests. A browser may still look up a host name
 * in a way that this policy does not cover, and the name can contain data. Therefore only scripts that an owner
 * approved run for other people.
 */
const innerPolicy = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "font-src data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // Forbid assigning markup from strings, because markup could create a document in which the features that the frame's
  // script removes are available again.
  "require-trusted-types-for 'script'",
  "trusted-types manifold",
].join("; ");

/** Browser features that prompt people or contact other machines, all of which are disabled. */
const refused = [
  "camera",
  "microphone",
  "geolocation",
  "display-capture",
  "payment",
  "usb",
  "serial",
  "hid",
  "bluetooth",
  "clipboard-read",
  "clipboard-write",
  "fullscreen",
  "attribution-reporting",
  "browsing-topics",
  "identity-credentials-get",
  "publickey-credentials-get",
  "join-ad-interest-group",
  "run-ad-auction",
  "shared-storage",
]
  .map((feature) => `${feature}=()`)
  .join(", ");

/**
 * Serves one of the two frames of custom charts. Each frame is the same for all charts, contains no data of a chart or
 * user, and has its own origin. The outer frame may contain only the inner frame, where the script runs.
 */
export function chartFrame(part: "outer" | "inner"): Middleware {
  const isOuter = part === "outer";
  const script = isOuter ? outerScript : innerScript;
  const style = isOuter ? `<style>${outerStyle}</style>` : "";
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Chart</title>${style}</head>
<body><script>${script}</script></body></html>
`;
  return async (ctx) => {
    ctx.set("Content-Security-Policy", isOuter ? outerPolicy : innerPolicy);
    ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
    ctx.set("Cross-Origin-Embedder-Policy", "require-corp");
    ctx.set("Permissions-Policy", refused);
    ctx.set("X-DNS-Prefetch-Control", "off");
    ctx.set("Cache-Control", "public, max-age=300");
    ctx.type = "text/html; charset=utf-8";
    ctx.body = body;
  };
}
