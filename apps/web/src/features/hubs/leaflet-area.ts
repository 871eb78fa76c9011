import type { HubMap } from "@marketday/contracts/hubs";
import L from "leaflet";

import "./leaflet.css";

import { config } from "../../lib/boot.ts";
import { declutter } from "./declutter.ts";

import s from "./map.module.css";

/** A place in the units of the drawing. */
export interface Spot {
  x: number;
  y: number;
}

/** The map as its buttons need it. */
export interface AreaMap {
  zoomIn(): void;
  zoomOut(): void;
  /** Back to the whole area. */
  showAll(): void;
  /** Marks a place and brings it into view; null takes the mark away. */
  mark(spot: Spot | null): void;
  remove(): void;
}

/** How far one can go in, in steps of twice as large. */
const DEEPEST = 3.5;
/** What the buttons cover while the map is as it opens, px. */
const TOOLS = { width: 56, height: 152 };
const NS = "http://www.w3.org/2000/svg";
const rank = { all: 0, part: 1 } as const;

function drawing({ viewBox, counties, states, boundary }: HubMap): SVGSVGElement {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  for (const [look, d] of [
    [s.counties, counties],
    [s.states, states],
    [s.boundary, boundary],
  ] as const) {
    const path = document.createElementNS(NS, "path");
    path.setAttribute("class", look ?? "");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** The library puts a credit on the page as HTML. */
function asText(words: string): string {
  const holder = document.createElement("span");
  holder.textContent = words;
  return holder.innerHTML;
}

const icon = (look: string | undefined, text = ""): L.DivIcon => {
  const face = document.createElement("div");
  face.className = look ?? "";
  face.textContent = text;
  return L.divIcon({ className: "", html: face, iconSize: [0, 0] });
};

/**
 * Leaflet on an element: the server's map is its background, so that it fetches no tiles but those of a setting. Panning and zooming stay
 * inside the drawing; a tap moves there, so that dragging is never the only way. `onZoom` gets the zoom level,
 * 0 (all) to 1.
 */
export function openAreaMap(box: HTMLElement, map: HubMap, calm: boolean, onZoom: (depth: number) => void): AreaMap {
  const { west, south, east, north } = map.bounds;
  const bounds = L.latLngBounds([south, west], [north, east]);
  const leaflet = L.map(box, {
    zoomControl: false,
    attributionControl: false,
    zoomSnap: 0,
    zoomDelta: 0.75,
    scrollWheelZoom: false,
    maxBounds: bounds,
    maxBoundsViscosity: 1,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    markerZoomAnimation: !calm,
    inertia: !calm,
  });
  const animate = { animate: !calm };
  const [, , width = 1, height = 1] = map.viewBox.split(" ").map(Number);
  const corner = L.CRS.EPSG3857.latLngToPoint(bounds.getNorthWest(), 0);
  const extent = L.CRS.EPSG3857.latLngToPoint(bounds.getSouthEast(), 0).subtract(corner);
  const placeOf = ({ x, y }: Spot) =>
    L.CRS.EPSG3857.pointToLatLng(L.point(corner.x + (x / width) * extent.x, corner.y + (y / height) * extent.y), 0);

  const fixed = { interactive: false, keyboard: false };
  const names = map.labels.map((label) => ({
    label,
    marker: L.marker(placeOf(label), { ...fixed, icon: icon(`${s.name} ${label.served ? s.served : ""}`, label.name) }),
  }));
  let spot: L.Marker | null = null;

  const fit = () => {
    const all = leaflet.getBoundsZoom(bounds, true);
    const zoom = leaflet.getZoom();
    const wasAll = zoom === undefined || zoom <= leaflet.getMinZoom();
    leaflet.setMinZoom(all).setMaxZoom(all + DEEPEST);
    if (wasAll) leaflet.setView(bounds.getCenter(), all, { animate: false });
  };
  const settle = () => {
    const depth = (leaflet.getZoom() - leaflet.getMinZoom()) / DEEPEST;
    const isIn = depth > 0.01;
    // With the whole area in sight there is nothing to pan, and a finger belongs to the page.
    if (isIn) leaflet.dragging.enable();
    else leaflet.dragging.disable();
    // Closer in, names beyond the edge come when the map is moved: then it is the whole drawing they share.
    const origin = leaflet.latLngToLayerPoint(bounds.getNorthWest());
    const size = isIn ? leaflet.latLngToLayerPoint(bounds.getSouthEast()).subtract(origin) : leaflet.getSize();
    const shown = declutter(
      names.map(({ label }) => {
        const place = placeOf(label);
        const { x, y } = isIn
          ? leaflet.latLngToLayerPoint(place).subtract(origin)
          : leaflet.latLngToContainerPoint(place);
        return { text: label.name, x, y, rank: label.served ? rank[label.served] : 2 };
      }),
      size.x,
      size.y,
      isIn ? [] : [{ left: size.x - TOOLS.width, right: size.x, top: 0, bottom: TOOLS.height }],
    );
    for (const [place, { marker }] of names.entries()) {
      const face = marker.getElement();
      if (face) face.hidden = !shown[place];
    }
    onZoom(depth);
  };

  fit();
  if (config.mapTiles) {
    const { url, credit } = config.mapTiles;
    L.tileLayer(url, { bounds, maxNativeZoom: 18 }).addTo(leaflet);
    // The library's own words are no part of it.
    if (credit)
      L.control.attribution({ prefix: false, position: "bottomleft" }).addAttribution(asText(credit)).addTo(leaflet);
    box.dataset["tiles"] = "";
  }
  L.svgOverlay(drawing(map), bounds, fixed).addTo(leaflet);
  for (const { marker } of names) marker.addTo(leaflet);
  L.marker(placeOf(map.pin), { ...fixed, icon: icon(s.pin), zIndexOffset: 1000 }).addTo(leaflet);
  leaflet.on("moveend", settle);
  leaflet.on("resize", () => {
    fit();
    settle();
  });
  leaflet.on("click", ({ latlng }) => void leaflet.panTo(latlng, animate));
  settle();

  return {
    zoomIn: () => void leaflet.zoomIn(undefined, animate),
    zoomOut: () => void leaflet.zoomOut(undefined, animate),
    showAll: () => void leaflet.setView(bounds.getCenter(), leaflet.getMinZoom(), animate),
    mark: (place) => {
      spot?.remove();
      spot = place && L.marker(placeOf(place), { ...fixed, icon: icon(s.spot), zIndexOffset: 2000 }).addTo(leaflet);
      if (place) leaflet.panInside(placeOf(place), { padding: [40, 40], ...animate });
    },
    remove: () => void leaflet.remove(),
  };
}
