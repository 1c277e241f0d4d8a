import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  title: "Gráficos personalizados",
  search: "Buscar gráficos personalizados",
  name: "Nombre",
  author: "Autor",
  status: "Estado",
  changed: "Modificado",
  none: "Aún no hay gráficos personalizados",
  noneText:
    "Un gráfico personalizado es un script que dibuja las filas de un elemento de un panel. Se crea con la API.",
  nothingFound: "Ningún gráfico personalizado coincide",
  count: (count) => counted(count, "gráfico", "gráficos"),
  statuses: {
    draft: "Borrador: solo se ejecuta para su autor",
    changed: "Modificado: los demás ven la versión aprobada",
    approved: "Aprobado",
  },
  open: "Revisar",
  review: (name) => `Revisar ${isolated(name)}`,
  risk: "Un gráfico personalizado puede filtrar los datos que dibuja. Su script lee cada fila de su elemento, con los derechos de quien ve el panel. El marco no puede enviar solicitudes, pero un navegador puede consultar nombres de host, y un nombre de host puede sacar datos. Apruebe solo scripts que haya leído, de personas a las que confíe los datos.",
  script: "Script",
  saved: (at) => `Guardado el ${at}`,
  approve: "Aprobar esta versión",
  withdraw: "Retirar la aprobación",
  approved: (name) => `${isolated(name)} se ejecuta ahora para todos`,
  withdrawn: (name) => `${isolated(name)} se ejecuta ahora solo para su autor`,
  absent: "Este gráfico ya no tiene versiones",
};
