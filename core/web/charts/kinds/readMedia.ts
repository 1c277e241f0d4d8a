import { localizedText } from "../format/localizedText.ts";
import type { ChartItem } from "../item/item.ts";
import { kindOfItem } from "../item/itemKinds.ts";
import { listOf, objectOf } from "../item/readItem.ts";

/** What an item with media shows. All addresses begin with `https://`. */
export type Media =
  | {
      readonly kind: "image";
      readonly address: string;
      readonly mode: string;
      readonly across: "left" | "center" | "right";
      readonly down: "top" | "center" | "bottom";
      readonly link: MediaLink | undefined;
    }
  | {
      readonly kind: "video";
      /** The address of the first file. */
      readonly address: string;
      readonly files: readonly { readonly address: string; readonly type: string }[];
      readonly poster: string | undefined;
      readonly playing: Playing;
    }
  | {
      readonly kind: "youtube";
      readonly address: string;
      readonly videoId: string;
      readonly playing: Playing;
    }
  | { readonly kind: "page"; readonly address: string };

/** The link around an image. */
interface MediaLink {
  /** An address that begins with `https://` or `http://`; undefined if there is only a tooltip. */
  readonly address: string | undefined;
  readonly tooltip: string;
  readonly target: "_blank" | "_self" | "_parent";
}

/** How a video plays. */
export interface Playing {
  readonly isLooped: boolean;
  readonly startsAlone: boolean;
  readonly hasControls: boolean;
  /** Color around the video, as stored. */
  readonly backdrop: unknown;
}

const modes = ["noResize", "compress", "fit", "fitHorizontal", "fitVertical", "fill", "stretch"];

/**
 * Reads what an item with media shows, in the reader's language. Returns undefined if the item has no address, or if
 * its address is not an https address without a user name: nothing else may be loaded into a page.
 */
export function readMedia({ type, options }: ChartItem, localeId: string): Media | undefined {
  const kind = kindOfItem(type)?.kind;
  if (kind === "video")
    return options.type === "youtube" ? youtubeOf(options, localeId) : videoOf(options, localeId);
  const address = secureAddress(localizedText(options.url, localeId));
  if (address === undefined) return undefined;
  if (kind === "image") return { ...imageLook(options, localeId), address };
  return kind === "page" ? { kind, address } : undefined;
}

/** Returns an address in its normal form; undefined unless it is an https address without a user name. */
function secureAddress(stored: unknown): string | undefined {
  const url = typeof stored === "string" ? URL.parse(stored.trim()) : null;
  const isSecure = url?.protocol === "https:" && url.username === "" && url.password === "";
  return isSecure ? url.href : undefined;
}

function imageLook(
  options: ChartItem["options"],
  localeId: string,
): Omit<Extract<Media, { kind: "image" }>, "address"> {
  const { horizontal, vertical } = objectOf<"horizontal" | "vertical">(options.alignment);
  const link = objectOf<"url" | "tooltip" | "target">(options.link);
  const url = URL.parse(localizedText(link.url, localeId).trim());
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  const tooltip = localizedText(link.tooltip, localeId).trim();
  const target = link.target === "_blank" || link.target === "_parent" ? link.target : "_self";
  const hasLink = isWeb || tooltip !== "";
  return {
    kind: "image",
    mode: modes.find((each) => each === options.mode) ?? "fill",
    across: horizontal === "left" || horizontal === "right" ? horizontal : "center",
    down: vertical === "top" || vertical === "bottom" ? vertical : "center",
    link: hasLink ? { address: isWeb ? url.href : undefined, tooltip, target } : undefined,
  };
}

const playingOf = (options: ChartItem["options"]): Playing => ({
  isLooped: options.loop === true,
  startsAlone: options.autoPlay === true,
  // A video that does not start by itself could not be started without controls.
  hasControls: options.showControls !== false || options.autoPlay !== true,
  backdrop: options.backdropColor,
});

/** Returns the sources for the reader's language, for English, or for the first language that has any. */
function sourcesOf(stored: unknown, localeId: string) {
  const byLanguage = new Map(Object.entries(objectOf(stored)));
  const [language = ""] = localeId.split("-");
  const named = [localeId, language, "en"].map((each) => byLanguage.get(each));
  const found = [...named, ...byLanguage.values()].map(listOf).find(({ length }) => length > 0);
  return (found ?? []).map((each) => objectOf<"src" | "type">(each));
}

function videoOf(options: ChartItem["options"], localeId: string): Media | undefined {
  const files = sourcesOf(options.sources, localeId).flatMap(({ src, type }) => {
    const address = secureAddress(src);
    return address === undefined ? [] : [{ address, type: typeof type === "string" ? type : "" }];
  });
  const [first] = files;
  if (first === undefined) return undefined;
  const { show, url } = objectOf<"show" | "url">(options.poster);
  return {
    kind: "video",
    address: first.address,
    files,
    poster: show === true ? secureAddress(url) : undefined,
    playing: playingOf(options),
  };
}

const youtubeHosts = [
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "www.youtube-nocookie.com",
];

function youtubeOf(options: ChartItem["options"], localeId: string): Media | undefined {
  const [source] = sourcesOf(options.youtube, localeId);
  const address = secureAddress(source?.src);
  const url = address === undefined ? undefined : new URL(address);
  if (!url || address === undefined) return undefined;
  const [first = "", second = ""] = url.pathname.split("/").slice(1);
  const videoId =
    url.hostname === "youtu.be"
      ? first
      : !youtubeHosts.includes(url.hostname)
        ? ""
        : first === "watch"
          ? (url.searchParams.get("v") ?? "")
          : second;
  // The id becomes a part of an address.
  if (!/^[\w-]{6,20}$/.test(videoId)) return undefined;
  return { kind: "youtube", address, videoId, playing: playingOf(options) };
}
