/** The words of interactive controls. Exported files do not have them. */
export interface ViewWords {
  readonly loading: string;
  readonly retry: string;
  readonly request: string;
  readonly asTable: string;
  readonly asPicture: string;
  readonly legend: string;
  readonly chart: string;
  readonly ascending: string;
  readonly descending: string;
  readonly search: string;
  readonly cut: string;
  readonly from: string;
  readonly to: string;
  readonly filters: string;
  readonly remove: string;
  readonly up: string;
  readonly noDashboard: string;
  readonly tokenEnded: string;
  readonly noPicture: string;
  readonly noFrame: string;
  readonly chartFailed: string;
}

const english: ViewWords = {
  loading: "Loading",
  retry: "Try again",
  request: "Request",
  asTable: "Show as a table",
  asPicture: "Show as a chart",
  legend: "Series",
  chart: "chart; use the arrow keys to move between its elements",
  ascending: "sorted in ascending order",
  descending: "sorted in descending order",
  search: "Search",
  cut: "There are more values. Search to find them",
  from: "From",
  to: "To",
  filters: "Filters",
  remove: "Remove the filter",
  up: "Back to the coarser level of",
  noDashboard: "This dashboard could not be loaded",
  tokenEnded: "Your access has ended. Reload the page.",
  noPicture: "A part of this page could not be loaded. Try again, or reload the page.",
  noFrame: "Shown as a table: the policy of this page does not allow frames from the host.",
  chartFailed: "Shown as a table: the chart failed.",
};

const languages: Readonly<Record<string, ViewWords>> = {
  en: english,
  fr: {
    loading: "Chargement",
    retry: "Réessayer",
    request: "Requête",
    asTable: "Afficher sous forme de tableau",
    asPicture: "Afficher sous forme de graphique",
    legend: "Séries",
    chart: "graphique ; utilisez les touches fléchées pour parcourir ses éléments",
    ascending: "tri croissant",
    descending: "tri décroissant",
    search: "Rechercher",
    cut: "Il existe d’autres valeurs. Utilisez la recherche pour les trouver",
    from: "De",
    to: "À",
    filters: "Filtres",
    remove: "Retirer le filtre",
    up: "Revenir au niveau supérieur de",
    noDashboard: "Ce tableau de bord n’a pas pu être chargé",
    tokenEnded: "Votre accès a pris fin. Rechargez la page.",
    noPicture: "Une partie de cette page n’a pas pu être chargée. Réessayez ou rechargez la page.",
    noFrame:
      "Affiché sous forme de tableau : la politique de cette page n’autorise pas les cadres de l’hôte.",
    chartFailed: "Affiché sous forme de tableau : une erreur s’est produite dans le graphique.",
  },
  nl: {
    loading: "Laden",
    retry: "Opnieuw proberen",
    request: "Verzoek",
    asTable: "Als tabel weergeven",
    asPicture: "Als grafiek weergeven",
    legend: "Reeksen",
    chart: "grafiek; gebruik de pijltjestoetsen om van element naar element te gaan",
    ascending: "oplopend gesorteerd",
    descending: "aflopend gesorteerd",
    search: "Zoeken",
    cut: "Er zijn meer waarden. Zoek om ze te vinden",
    from: "Van",
    to: "Tot",
    filters: "Filters",
    remove: "Filter verwijderen",
    up: "Terug naar het grovere niveau van",
    noDashboard: "Dit dashboard kon niet worden geladen",
    tokenEnded: "Uw toegang is beëindigd. Laad de pagina opnieuw.",
    noPicture:
      "Een deel van deze pagina kon niet worden geladen. Probeer het opnieuw of laad de pagina opnieuw.",
    noFrame: "Als tabel weergegeven: het beleid van deze pagina staat geen frames van de host toe.",
    chartFailed: "Als tabel weergegeven: er is een fout opgetreden in de grafiek.",
  },
  de: {
    loading: "Wird geladen",
    retry: "Erneut versuchen",
    request: "Anfrage",
    asTable: "Als Tabelle anzeigen",
    asPicture: "Als Diagramm anzeigen",
    legend: "Reihen",
    chart: "Diagramm; mit den Pfeiltasten bewegen Sie sich zwischen den Elementen",
    ascending: "aufsteigend sortiert",
    descending: "absteigend sortiert",
    search: "Suchen",
    cut: "Es gibt weitere Werte. Verwenden Sie die Suche, um sie zu finden",
    from: "Von",
    to: "Bis",
    filters: "Filter",
    remove: "Filter entfernen",
    up: "Zurück zur gröberen Stufe von",
    noDashboard: "Dieses Dashboard konnte nicht geladen werden",
    tokenEnded: "Ihr Zugang ist abgelaufen. Laden Sie die Seite neu.",
    noPicture:
      "Ein Teil dieser Seite konnte nicht geladen werden. Versuchen Sie es erneut, oder laden Sie die Seite neu.",
    noFrame: "Als Tabelle angezeigt: Die Richtlinie dieser Seite lässt keine Frames vom Host zu.",
    chartFailed: "Als Tabelle angezeigt: Im Diagramm ist ein Fehler aufgetreten.",
  },
  es: {
    loading: "Cargando",
    retry: "Reintentar",
    request: "Solicitud",
    asTable: "Mostrar como tabla",
    asPicture: "Mostrar como gráfico",
    legend: "Series",
    chart: "gráfico; use las teclas de flecha para recorrer sus elementos",
    ascending: "orden ascendente",
    descending: "orden descendente",
    search: "Buscar",
    cut: "Hay más valores. Use la búsqueda para encontrarlos",
    from: "Desde",
    to: "Hasta",
    filters: "Filtros",
    remove: "Quitar el filtro",
    up: "Volver al nivel superior de",
    noDashboard: "No se pudo cargar este panel",
    tokenEnded: "Su acceso ha terminado. Vuelva a cargar la página.",
    noPicture:
      "No se pudo cargar una parte de esta página. Inténtelo de nuevo o vuelva a cargar la página.",
    noFrame: "Se muestra como tabla: la política de esta página no permite marcos del servidor.",
    chartFailed: "Se muestra como tabla: se produjo un error en el gráfico.",
  },
};

/** Returns the words of a language; English if the language is not available. */
export function viewWordsOf(localeId: string): ViewWords {
  const language = localeId.split("-")[0] ?? "";
  return Object.hasOwn(languages, language) ? (languages[language] ?? english) : english;
}
