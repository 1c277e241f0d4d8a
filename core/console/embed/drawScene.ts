import { svgElementsOf, svgNamespace, svgRootAttributes, type Scene } from "../../charts/index.ts";

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

export interface DrawSceneOptions {
  /** Puts what a mark says in a title within it, as files have it; false where tooltips show it. */
  readonly hasTitles?: boolean;
}

/**
 * Draws a scene in an `svg` element, in place of what it held: the elements of `writeSvg`, with attributes alone and no
 * style. Returns the element of each node of the scene, in its order.
 */
export function drawScene(
  scene: Scene,
  svg: SVGSVGElement,
  { hasTitles = true }: DrawSceneOptions = {},
): SVGElement[] {
  const { ownerDocument } = svg;
  const make = (
    name: string,
    attributes: Readonly<Record<string, string | number | undefined>>,
  ): SVGElement => {
    const element = ownerDocument.createElementNS(svgNamespace, name);
    setAttributes(element, attributes);
    return element;
  };
  setAttributes(svg, svgRootAttributes(scene));
  const made = svgElementsOf(scene).map(({ name, attributes, text, title }) => {
    const element = make(name, attributes);
    if (text !== undefined) element.textContent = text;
    if (title !== undefined && hasTitles) {
      const titled = make("title", {});
      titled.textContent = title;
      element.append(titled);
    }
    return element;
  });
  svg.replaceChildren(...made);
  return made.slice(made.length - scene.nodes.length);
}

function setAttributes(
  element: SVGElement,
  attributes: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined)
      if (name.startsWith("xml:")) element.setAttributeNS(xmlNamespace, name, String(value));
      else element.setAttribute(name, String(value));
}
