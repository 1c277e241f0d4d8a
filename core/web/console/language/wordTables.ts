/** The words of a language by the path of their table, such as `pages/home/words`. */
export type WordTables = Readonly<Record<string, { readonly words: object }>>;
