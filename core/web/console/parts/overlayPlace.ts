type Place = HTMLElement | ShadowRoot;

let place: Place | undefined;

/** Returns the node to which dialogs, menus and notices are appended. */
export function overlayPlace(): Place {
  return place ?? document.body;
}

/**
 * Makes dialogs, menus and notices open in a shadow root from now on, where the styles of the console apply. Several
 * elements of one page call it in turn, each when the reader begins to use it.
 */
export function openOverlaysIn(root: Place): void {
  place = root;
}
