import { dateIn, pluralIn } from "@marketday/domain/message-format";

const plural = pluralIn("es");

// The kit's texts in Spanish as it is spoken in the United States and Mexico.

export const back = "Atrás";
export const close = "Cerrar";
export const retry = "Reintentar";
export const dismiss = "Descartar";
export const dismissTitle = (title: string) => `Descartar: ${title}`;
export const loading = (what: string) => `Cargando ${what}`;

export const problemSummary = "Hay un problema";
export const errorPrefix = "Error: ";
export const charactersLeft = (left: number, max: number) =>
  plural(left, { one: `Queda ${left} de ${max} caracteres`, other: `Quedan ${left} de ${max} caracteres` });
export const charactersTooMany = (over: number) =>
  plural(over, { one: `${over} carácter de más`, other: `${over} caracteres de más` });
export const clearSearch = "Borrar la búsqueda";
export const showPassword = "Mostrar la contraseña";

export const previousPicture = "Foto anterior";
export const nextPicture = "Foto siguiente";
export const pictureOf = (place: number, count: number) => `${place} de ${count}`;
export const pageNumber = (page: number) => `Página ${page}`;

export const quantityOf = (name: string) => `Cantidad de ${name}`;
export const add = (name: string) => `Agregar ${name}`;
export const addOne = (name: string) => `Agregar una unidad de ${name}`;
export const remove = (name: string) => `Quitar ${name}`;
export const removeOne = (name: string) => `Quitar una unidad de ${name}`;

export const was = "antes ";
export const thenWas = ", antes ";
export const stars = (rating: number) => `${rating} de 5 estrellas`;
export const starsOfReviews = (rating: number, count: number) =>
  `${rating} de 5 estrellas, ${plural(count, { one: `${count} opinión`, other: `${count} opiniones` })}`;

export const today = "Hoy";
export const orderBy = "Pedir antes";
export const weekday = dateIn("es-US", { weekday: "short" });

export const stepAhead = "todavía no";
export const stepNow = "en curso";
export const stepDone = "listo";
export const stepDue = "pendiente";
export const stepLate = "atrasado";
export const stepOff = "omitido";
export const runStep = (name: string, state: string) => `${name}, ${state}: `;
export const tote = "Caja ";
export const copy = "Copiar";
export const copied = "Copiado";
export const selectedToCopy = "El comando está seleccionado. Cópielo con el teclado.";
export const tryAgain = "Reintentar";
export const openRow = "Presione Intro para abrir una fila y las flechas para pasar de una fila a otra.";
export const closePanel = "Cerrar el panel";
export const backToList = "Volver a la lista";
export const previousRow = "Fila anterior";
export const nextRow = "Fila siguiente";
export const copyLink = "Copiar el enlace";
export const linkCopied = "Enlace copiado";
export const linkNotCopied = "No se pudo copiar el enlace. Cópielo de la barra de direcciones.";
