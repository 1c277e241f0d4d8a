/**
 * Returns the document or shadow root that contains a node. In it, the focus and the elements below a point are found.
 */
export function rootOf(node: Node): Document | ShadowRoot {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}
