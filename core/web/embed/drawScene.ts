import {
  svgElementsOf,
  svgNamespace,
  svgRootAttributes,
  type Scene,
  type SvgElement,
} from "../charts/index.ts";

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Options of `drawScene`. */
export interface DrawSceneOptions {
  /**
   * Whether each mark has a `title` element, as in exported files. Set to false where a tooltip shows the same text.
   * @default true
   */
  readonly hasTitles?: boolean;
}

interface Drawn {
  readonly element: SVGElement;
  readonly from: SvgElement;
}

/** Elements that each `svg` element shows, so that the next scene changes only the differences. */
const drawnBySvg = new WeakMap<SVGSVGElement, readonly Drawn[]>();

/**
 * Draws a scene in an `svg` element and replaces its contents. The elements are those of `writeSvg`: they have
 * attributes but no styles. Elements of the previous scene are reused. Returns the elements of the scene's nodes, in
 * their order.
 */
export function drawScene(
  scene: Scene,
  svg: SVGSVGElement,
  { hasTitles = true }: DrawSceneOptions = {},
): SVGElement[] {
  for (const [name, value] of Object.entries(svgRootAttributes(scene)))
    if (value !== undefined && svg.getAttribute(name) !== String(value))
      svg.setAttribute(name, String(value));
  const before = drawnBySvg.get(svg) ?? [];
  // A picture that other code has emptied is drawn again from scratch.
  const known = before.length === svg.childElementCount ? before : [];
  const drawn = svgElementsOf(scene).map((next, index): Drawn => {
    const from = hasTitles ? next : { ...next, title: "" };
    const old = known[index];
    if (old?.from.name === from.name) {
      change(old, from);
      return { element: old.element, from };
    }
    const element = make(svg, from);
    if (old) old.element.replaceWith(element);
    else if (known.length > 0) svg.append(element);
    return { element, from };
  });
  if (known.length === 0) svg.replaceChildren(...drawn.map(({ element }) => element));
  else for (const { element } of known.slice(drawn.length)) element.remove();
  drawnBySvg.set(svg, drawn);
  return drawn.slice(drawn.length - scene.nodes.length).map(({ element }) => element);
}

function make({ ownerDocument }: SVGSVGElement, from: SvgElement): SVGElement {
  const element = ownerDocument.createElementNS(svgNamespace, from.name);
  for (const [name, value] of Object.entries(from.attributes))
    if (value !== undefined) setAttribute(element, name, value);
  setTexts(element, from);
  return element;
}

function change({ element, from: old }: Drawn, next: SvgElement): void {
  for (const [name, value] of Object.entries(next.attributes))
    if (value !== old.attributes[name])
      if (value === undefined) element.removeAttribute(name);
      else setAttribute(element, name, value);
  for (const name of Object.keys(old.attributes))
    if (!(name in next.attributes)) element.removeAttribute(name);
  if (old.text !== next.text || old.title !== next.title) setTexts(element, next);
}

function setTexts(element: SVGElement, { text, title }: SvgElement): void {
  if (text !== undefined || element.firstChild) element.textContent = text ?? "";
  if (title === undefined || title === "") return;
  const titled = element.ownerDocument.createElementNS(svgNamespace, "title");
  titled.textContent = title;
  element.append(titled);
}

function setAttribute(element: SVGElement, name: string, value: string | number): void {
  if (name.startsWith("xml:")) element.setAttributeNS(xmlNamespace, name, String(value));
  else element.setAttribute(name, String(value));
}
