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
  chart: "chart; use the arrow keys to move between its marks",
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
    asTable: "Afficher en tableau",
    asPicture: "Afficher en graphique",
    legend: "Séries",
    chart: "graphique ; les flèches parcourent ses marques",
    ascending: "tri croissant",
    descending: "tri décroissant",
    search: "Rechercher",
    cut: "D’autres valeurs : cherchez-les",
    from: "De",
    to: "À",
    filters: "Filtres",
    remove: "Retirer le filtre",
    up: "Revenir au niveau supérieur de",
    noDashboard: "Ce tableau de bord n’a pas pu être chargé",
    tokenEnded: "Votre accès a pris fin. Rechargez la page.",
    noPicture: "Une partie de la page n’est pas arrivée. Réessayez, ou rechargez la page.",
    noFrame: "Affiché en tableau : la politique de cette page n’autorise aucun cadre de l’hôte.",
    chartFailed: "Affiché en tableau : le graphique a échoué.",
  },
  nl: {
    loading: "Laden",
    retry: "Opnieuw proberen",
    request: "Verzoek",
    asTable: "Als tabel tonen",
    asPicture: "Als grafiek tonen",
    legend: "Reeksen",
    chart: "grafiek; pijltjestoetsen gaan langs de tekens",
    ascending: "oplopend gesorteerd",
    descending: "aflopend gesorteerd",
    search: "Zoeken",
    cut: "Meer waarden: zoek ernaar",
    from: "Van",
    to: "Tot",
    filters: "Filters",
    remove: "Filter verwijderen",
    up: "Terug naar het grovere niveau van",
    noDashboard: "Dit dashboard kon niet worden geladen",
    tokenEnded: "Uw toegang is beëindigd. Laad de pagina opnieuw.",
    noPicture: "Een deel van de pagina is niet aangekomen. Probeer opnieuw, of herlaad de pagina.",
    noFrame: "Als tabel getoond: het beleid van deze pagina staat geen kader van de host toe.",
    chartFailed: "Als tabel getoond: de grafiek is mislukt.",
  },
  de: {
    loading: "Wird geladen",
    retry: "Erneut versuchen",
    request: "Anfrage",
    asTable: "Als Tabelle zeigen",
    asPicture: "Als Bild zeigen",
    legend: "Reihen",
    chart: "Diagramm; Pfeiltasten gehen über seine Werte",
    ascending: "aufsteigend sortiert",
    descending: "absteigend sortiert",
    search: "Suchen",
    cut: "Weitere Werte: suchen",
    from: "Von",
    to: "Bis",
    filters: "Filter",
    remove: "Filter entfernen",
    up: "Zurück zur gröberen Stufe von",
    noDashboard: "Dieses Dashboard konnte nicht geladen werden",
    tokenEnded: "Ihr Zugang ist abgelaufen. Laden Sie die Seite neu.",
    noPicture:
      "Ein Teil der Seite ist nicht angekommen. Erneut versuchen oder die Seite neu laden.",
    noFrame: "Als Tabelle gezeigt: Die Richtlinie dieser Seite erlaubt keinen Rahmen des Hosts.",
    chartFailed: "Als Tabelle gezeigt: Das Diagramm ist fehlgeschlagen.",
  },
  es: {
    loading: "Cargando",
    retry: "Reintentar",
    request: "Solicitud",
    asTable: "Mostrar como tabla",
    asPicture: "Mostrar como gráfico",
    legend: "Series",
    chart: "gráfico; las flechas recorren sus marcas",
    ascending: "orden ascendente",
    descending: "orden descendente",
    search: "Buscar",
    cut: "Hay más valores: búsquelos",
    from: "Desde",
    to: "Hasta",
    filters: "Filtros",
    remove: "Quitar el filtro",
    up: "Volver al nivel superior de",
    noDashboard: "No se pudo cargar este panel",
    tokenEnded: "Su acceso ha terminado. Vuelva a cargar la página.",
    noPicture: "Una parte de la página no llegó. Reintente, o recargue la página.",
    noFrame: "Mostrado como tabla: la política de esta página no permite marcos del servidor.",
    chartFailed: "Mostrado como tabla: el gráfico falló.",
  },
};

/** Returns the words of a language; English if the language is not available. */
export function viewWordsOf(localeId: string): ViewWords {
  const language = localeId.split("-")[0] ?? "";
  return Object.hasOwn(languages, language) ? (languages[language] ?? english) : english;
}
