import {
  itemTheme,
  kindOfItem,
  localizedText,
  titleOf,
  wordsOf,
  type ReadMedia,
} from "../../charts/index.ts";
import {
  adoptStyles,
  applyTheme,
  element,
  viewWordsOf,
  type Cover,
  type CoverOptions,
  type ItemPicture,
} from "../view/index.ts";
import { createMediaContent } from "./createMediaContent.ts";
import { mediaStyles } from "./mediaStyles.ts";

/** The options of a cover, and the function that reads what an item shows. */
export interface MediaCoverOptions extends CoverOptions {
  readonly readMedia: ReadMedia;
}

/**
 * Shows an image, a video or a web page over the picture of an item, which says its title and its address. If nothing
 * can be shown, because the policy of the page forbids it or the server does not answer, the picture stays visible,
 * with a link to the address.
 */
export function createMediaCover({
  container,
  readMedia,
  onFailure,
  onChange,
}: MediaCoverOptions): Cover {
  const title = element("div", { class: "mf-title", part: "title" });
  const content = element("div", { class: "mf-media-content" });
  const root = element("div", { class: "mf-media", part: "media" }, title, content);
  const link = element("a", { target: "_blank", rel: "noopener noreferrer" });
  const note = element("div", { class: "mf-frame-note", part: "note", role: "status" });
  root.hidden = true;
  note.hidden = true;
  container.append(root, note);
  adoptStyles(container, mediaStyles());
  let shown: ItemPicture | undefined;
  let key = "";
  let close: (() => void) | undefined;

  function empty(): void {
    close?.();
    close = undefined;
    content.replaceChildren();
    root.hidden = true;
    note.hidden = true;
  }

  function fill(picture: ItemPicture): void {
    const { item, localeId } = picture;
    const media = readMedia(item, localeId);
    const kind = kindOfItem(item.type)?.kind ?? "empty";
    const name =
      localizedText(item.options.title, localeId).trim() || wordsOf(localeId).kinds[kind];
    const next = JSON.stringify([media, name, localeId]);
    if (next === key) return;
    key = next;
    empty();
    if (!media) return;
    const made = createMediaContent(media, name, (failure) => {
      empty();
      const words = viewWordsOf(shown?.localeId ?? localeId);
      link.href = media.address;
      link.textContent = words.openLink;
      note.replaceChildren(`${words.notLoaded} `, link);
      note.hidden = false;
      onFailure(failure);
      onChange();
    });
    ({ close } = made);
    content.append(made.root);
    Object.assign(root.dataset, { kind: media.kind });
    root.hidden = false;
  }

  return {
    show(picture) {
      shown = picture;
      const { item, theme, localeId } = picture;
      applyTheme(root, itemTheme(item, theme));
      title.textContent = titleOf(item, [], localeId);
      title.hidden = title.textContent === "";
      fill(picture);
      onChange();
    },
    print(isOnPaper) {
      // Videos and pages cannot be printed, but their title and address can.
      const { kind } = root.dataset;
      const isPrinted = kind === "image" && !isEmpty();
      root.hidden = isEmpty() || (isOnPaper && !isPrinted);
      return !isPrinted;
    },
    isShown: () => !isEmpty(),
    close() {
      empty();
      root.remove();
      note.remove();
    },
  };

  function isEmpty(): boolean {
    return content.childElementCount === 0;
  }
}
