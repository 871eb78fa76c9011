/** A zip with its centroid (degrees) and place name. */
export interface ZipPlace {
  zipCode: string;
  lat: number;
  lng: number;
  city: string;
  state: string;
}

/** Where a zip lies and which zip lies at a point (spec §7.12). */
export interface Geocoder {
  /** Null when there is no such zip. */
  place(zipCode: string): ZipPlace | null;
  /** The nearest zip within 80 km; null farther out. */
  zipAt(lat: number, lng: number): Promise<ZipPlace | null>;
}
