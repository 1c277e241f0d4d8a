import { readColor, type Media } from "../../charts/index.ts";
import { element } from "../view/index.ts";

type Kind = Media["kind"];
type MediaOf<Name extends Kind> = Extract<Media, { readonly kind: Name }>;

/** Content of a page that another server sends. */
export interface MediaContent {
  readonly root: HTMLElement;
  close(): void;
}

/**
 * Creates the element that shows an image, a video or a web page, with a name for screen readers. `onFailure` is called
 * at most once, if the content cannot be shown.
 */
export function createMediaContent(
  media: Media,
  name: string,
  onFailure: (failure: Error) => void,
): MediaContent {
  const closing = new AbortController();
  const { signal } = closing;
  const fail = (reason: string) => {
    if (signal.aborted) return;
    closing.abort();
    onFailure(new Error(`${media.address} cannot be shown: ${reason}`));
  };
  // Browsers report only in this way that a policy blocked a frame.
  const { origin } = new URL(media.kind === "youtube" ? youtubeOrigin : media.address);
  document.addEventListener(
    "securitypolicyviolation",
    ({ blockedURI, disposition, effectiveDirective }) => {
      const isFrame = effectiveDirective === "frame-src" && disposition === "enforce";
      if (isFrame && URL.parse(blockedURI)?.origin === origin)
        fail("the policy of the page does not allow it");
    },
    { signal },
  );
  const onError = () => fail("it could not be loaded");
  return { root: create(), close: () => closing.abort() };

  function create(): HTMLElement {
    switch (media.kind) {
      case "image":
        return createImage(media, name, onError);
      case "video":
        return createVideo(media, name, onError);
      case "youtube":
        return createYoutube(media, name);
      case "page":
        // Without `allow-same-origin`, the page has an origin of its own, even if it is a page of this server.
        return element("iframe", {
          sandbox: "allow-scripts allow-forms allow-popups",
          referrerpolicy: "no-referrer",
          loading: "lazy",
          allow: "",
          title: name,
          src: media.address,
        });
      default: {
        const never: never = media;
        return never;
      }
    }
  }
}

const places = { left: "0 auto", center: "auto", right: "auto 0" } as const;
const sides = { top: "flex-start", center: "center", bottom: "flex-end" } as const;

function createImage(
  { address, mode, across, down, link }: MediaOf<"image">,
  name: string,
  onError: () => void,
): HTMLElement {
  const image = element("img", {
    alt: name,
    referrerpolicy: "no-referrer",
    decoding: "async",
    "data-mode": mode,
    title: link?.tooltip || undefined,
  });
  image.style.setProperty("object-position", `${across} ${down}`);
  image.style.setProperty("--mf-place", mode === "fitVertical" ? places[across] : sides[down]);
  image.addEventListener("error", onError);
  image.setAttribute("src", address);
  if (link?.address === undefined) return image;
  const { target } = link;
  return element("a", { href: link.address, target, rel: "noopener noreferrer" }, image);
}

function createVideo(
  { files, poster, playing }: MediaOf<"video">,
  name: string,
  onError: () => void,
): HTMLElement {
  const startsAlone = playing.startsAlone && !prefersStillness();
  const sources = files.map(({ address, type }) =>
    element("source", { src: address, type: type || undefined }),
  );
  // The video fails with its last file.
  sources.at(-1)?.addEventListener("error", onError);
  const video = element(
    "video",
    {
      "aria-label": name,
      controls: playing.hasControls || !startsAlone,
      loop: playing.isLooped,
      playsinline: true,
      preload: poster === undefined ? "metadata" : "none",
      poster,
      autoplay: startsAlone,
    },
    ...sources,
  );
  // Browsers start only silent videos by themselves.
  video.muted = startsAlone;
  video.style.setProperty("background", readColor(playing.backdrop, "#000") ?? "#000");
  return video;
}

const youtubeOrigin = "https://www.youtube-nocookie.com";

function createYoutube({ videoId, playing }: MediaOf<"youtube">, name: string): HTMLElement {
  const address = new URL(`/embed/${videoId}`, youtubeOrigin);
  const startsAlone = playing.startsAlone && !prefersStillness();
  const parameters = {
    rel: "0",
    ...(startsAlone && { autoplay: "1", mute: "1" }),
    ...(!playing.hasControls && startsAlone && { controls: "0" }),
    ...(playing.isLooped && { loop: "1", playlist: videoId }),
  };
  for (const [key, value] of Object.entries(parameters)) address.searchParams.set(key, value);
  return element("iframe", {
    // The player needs its own origin, which is never that of the host.
    sandbox: "allow-scripts allow-same-origin allow-presentation allow-popups",
    // The player refuses pages that do not say their origin.
    referrerpolicy: "strict-origin",
    loading: "lazy",
    allow: "autoplay; fullscreen; picture-in-picture",
    allowfullscreen: true,
    title: name,
    src: address.href,
  });
}

const prefersStillness = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
