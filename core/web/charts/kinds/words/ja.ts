import type { KindWords } from "./kindWords.ts";

/** The words of late kinds in Japanese. */
export const words: KindWords = {
  leftOut: "{reason}：{count}",
  leftOutNamed: "{reason}：{count}（{names}）",
  reasons: {
    withoutPlace: "地図上に場所がない",
    unreadable: "座標を読み取れない",
    outOfView: "地図の範囲外",
    tooDetailed: "形状が詳細すぎる",
    samePlace: "同じ場所のより大きい値に隠れている",
    notPositive: "0 以下",
    withoutValue: "値がない",
    withoutName: "名前がない",
    circular: "循環するフロー",
    withoutRoom: "表示する余地がない",
  },
  places: { other: "{count} か所" },
  density: "最大密度に対する割合",
  notHere: "ここには表示されません:",
  noAddress: "この項目には https:// で始まるアドレスがありません。",
};
