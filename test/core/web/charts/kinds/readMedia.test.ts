import * as assert from "uvu/assert";
import { loadMediaReader, readItem } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const readMedia = await loadMediaReader();
const read = (type: string, options: object, localeId = "en") =>
  readMedia(readItem({ type, options }), localeId);

const refused = [
  "http://example.org/a.png",
  "javascript:alert(1)",
  " \tjava\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml,<svg/>",
  "blob:https://example.org/1",
  "file:///etc/passwd",
  "//example.org/a.png",
  "/a.png",
  "https://user:secret@example.org/a.png",
  "https://",
  "",
  7,
  null,
  ["https://example.org/a.png"],
];

suite("core/web/charts/kinds/readMedia", (test) => {
  test("only https addresses without a user name are shown", () => {
    for (const each of refused) {
      const source = { en: [{ src: each }] };
      assert.is(read("image", { url: each }), undefined, String(each));
      assert.is(read("iframeobject", { url: { en: each } }), undefined, String(each));
      assert.is(read("video", { sources: source }), undefined, String(each));
      assert.is(read("video", { type: "youtube", youtube: source }), undefined, String(each));
    }
    assert.is(
      read("image", { url: " https://example.org/a.png " })?.address,
      "https://example.org/a.png",
    );
  });

  test("addresses are in the reader's language", () => {
    const url = { en: "https://example.org/en", nl: "https://example.org/nl" };
    assert.is(read("iframeobject", { url }, "nl-BE")?.address, "https://example.org/nl");
    assert.is(read("iframeobject", { url }, "ja")?.address, "https://example.org/en");
    const sources = { nl: [{ src: "https://example.org/nl.mp4" }], en: [] };
    assert.is(read("video", { sources }, "fr")?.address, "https://example.org/nl.mp4");
  });

  test("unsafe files and posters of a video are left out", () => {
    const sources = {
      en: [
        { src: "javascript:alert(1)" },
        { src: "https://example.org/a.webm", type: "video/webm" },
      ],
    };
    const media = read("video", { sources, poster: { show: true, url: "http://example.org/p" } });
    assert.ok(media?.kind === "video");
    assert.equal(media.files, [{ address: "https://example.org/a.webm", type: "video/webm" }]);
    assert.is(media.poster, undefined);
  });

  test("videos of YouTube are recognized by each form of their address, and other servers are refused", () => {
    const id = (src: string) => {
      const media = read("video", { type: "youtube", youtube: { en: [{ src }] } });
      return media?.kind === "youtube" ? media.videoId : undefined;
    };
    for (const src of [
      "https://www.youtube.com/watch?v=abc_DEF-123&t=4",
      "https://youtu.be/abc_DEF-123?t=4",
      "https://youtube.com/embed/abc_DEF-123",
      "https://m.youtube.com/shorts/abc_DEF-123",
    ])
      assert.is(id(src), "abc_DEF-123", src);
    for (const src of [
      "https://www.youtube.com.example.org/watch?v=abc_DEF-123",
      "https://example.org/watch?v=abc_DEF-123",
      "https://youtu.be/../evil",
      "https://www.youtube.com/watch?v=a%22%20onload",
      "https://www.youtube.com/",
    ])
      assert.is(id(src), undefined, src);
  });

  test("a video without controls starts by itself", () => {
    const sources = { en: [{ src: "https://example.org/a.mp4" }] };
    const controls = (options: object) => {
      const media = read("video", { sources, ...options });
      return media?.kind === "video" && media.playing.hasControls;
    };
    assert.is(controls({ showControls: false, autoPlay: true }), false);
    assert.is(controls({ showControls: false }), true);
  });

  test("links of images lead only to web pages", () => {
    const link = (given: object) => {
      const media = read("image", { url: "https://example.org/a.png", link: given });
      return media?.kind === "image" ? media.link : undefined;
    };
    assert.is(link({ url: { en: "javascript:alert(1)" } }), undefined);
    assert.equal(link({ url: { en: "https://example.org/" }, target: "_top" }), {
      address: "https://example.org/",
      tooltip: "",
      target: "_self",
    });
  });
});
