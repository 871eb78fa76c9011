import type { Weekday } from "@marketday/domain/calendar-date";

/** A hub; its outline and zips are derived from its counties. */
export interface HubPlan {
  id: number;
  slug: string;
  name: string;
  description: string;
  weekday: Weekday;
  zone: string;
  /** Null: the default fee. */
  feeCents: number | null;
  taxPpm: number;
  processingPpm: number;
  processingFixedCents: number;
  commissionPpm: number;
  zipCode: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
  /** FIPS ids of us-atlas. */
  counties: readonly string[];
  pickups: readonly { name: string; address: string; city: string; state: string; zipCode: string; hours: string }[];
  banner: { type: "information" | "warning" | "other"; title: string; body: string; action: string | null };
}

/** Six hubs in four time zones; 126 is the special one. */
export const hubPlans: readonly HubPlan[] = [
  {
    id: 1,
    slug: "carmel",
    name: "Carmel market",
    description:
      "Farms and kitchens from five counties north and west of Indianapolis, packed in Carmel on Wednesday night and at your door on Thursday.",
    weekday: "Thursday",
    zone: "America/Indiana/Indianapolis",
    feeCents: null,
    taxPpm: 20_000,
    processingPpm: 25_000,
    processingFixedCents: 30,
    commissionPpm: 180_000,
    zipCode: "46032",
    city: "Carmel",
    state: "IN",
    lat: 39.978,
    lng: -86.118,
    counties: ["18057", "18011", "18097", "18063", "18109"],
    pickups: [
      {
        name: "Carmel Depot Barn",
        address: "211 1st Street SW",
        city: "Carmel",
        state: "IN",
        zipCode: "46032",
        hours: "Thursday 3 to 7 PM",
      },
      {
        name: "Broad Ripple Firehouse",
        address: "6310 Guilford Avenue",
        city: "Indianapolis",
        state: "IN",
        zipCode: "46220",
        hours: "Thursday 4 to 7 PM",
      },
      {
        name: "Zionsville Seed Store",
        address: "85 South Main Street",
        city: "Zionsville",
        state: "IN",
        zipCode: "46077",
        hours: "Thursday 3 to 6 PM",
      },
    ],
    banner: {
      type: "information",
      title: "Bottles go home with the driver",
      body: "Put rinsed bottles and egg cartons out with your empty tote.",
      action: null,
    },
  },
  {
    id: 2,
    slug: "cincinnati",
    name: "Cincinnati market",
    description:
      "Both banks of the river: Ohio bottomland, Kentucky pasture and a lot of bakers. Packed on Tuesday night, delivered Wednesday.",
    weekday: "Wednesday",
    zone: "America/New_York",
    feeCents: 795,
    taxPpm: 18_000,
    processingPpm: 25_000,
    processingFixedCents: 30,
    commissionPpm: 180_000,
    zipCode: "45202",
    city: "Cincinnati",
    state: "OH",
    lat: 39.107,
    lng: -84.504,
    counties: ["39061", "39025", "39017", "39165", "21117", "21037"],
    pickups: [
      {
        name: "Findlay Street Loading Dock",
        address: "114 West Elder Street",
        city: "Cincinnati",
        state: "OH",
        zipCode: "45202",
        hours: "Wednesday 3 to 7 PM",
      },
      {
        name: "Covington Row House",
        address: "617 Main Street",
        city: "Covington",
        state: "KY",
        zipCode: "41011",
        hours: "Wednesday 4 to 7 PM",
      },
    ],
    banner: {
      type: "other",
      title: "New stalls from Kentucky",
      body: "Four farms from across the river joined this fall.",
      action: "/vendors",
    },
  },
  {
    id: 3,
    slug: "lawrence",
    name: "Lawrence market",
    description:
      "The Kaw valley and its two cities, with prairie beef, river-bottom vegetables and flour you could see growing. Delivered Friday, in time for the weekend.",
    weekday: "Friday",
    zone: "America/Chicago",
    feeCents: 695,
    taxPpm: 21_000,
    processingPpm: 27_500,
    processingFixedCents: 30,
    commissionPpm: 170_000,
    zipCode: "66044",
    city: "Lawrence",
    state: "KS",
    lat: 38.9717,
    lng: -95.2353,
    counties: ["20045", "20091", "20209", "20103", "29095"],
    pickups: [
      {
        name: "East Lawrence Grain Shed",
        address: "826 Pennsylvania Street",
        city: "Lawrence",
        state: "KS",
        zipCode: "66044",
        hours: "Friday 3 to 7 PM",
      },
      {
        name: "Strawberry Hill Hall",
        address: "512 North 6th Street",
        city: "Kansas City",
        state: "KS",
        zipCode: "66101",
        hours: "Friday 4 to 7 PM",
      },
      {
        name: "River Market Dock 4",
        address: "20 East 5th Street",
        city: "Kansas City",
        state: "MO",
        zipCode: "64106",
        hours: "Friday 4 to 7 PM",
      },
    ],
    banner: {
      type: "information",
      title: "Look for the Kansas farms badge",
      body: "It marks what was grown, raised or milled in the state.",
      action: "/collections/kansas-farms",
    },
  },
  {
    id: 4,
    slug: "madison",
    name: "Madison market",
    description:
      "Driftless hills, four lakes and more cheese than is reasonable. Packed on Monday, delivered Tuesday, snow or not.",
    weekday: "Tuesday",
    zone: "America/Chicago",
    feeCents: null,
    taxPpm: 0,
    processingPpm: 25_000,
    processingFixedCents: 30,
    commissionPpm: 175_000,
    zipCode: "53703",
    city: "Madison",
    state: "WI",
    lat: 43.0747,
    lng: -89.3842,
    counties: ["55025", "55021", "55111", "55049", "55045", "55105"],
    pickups: [
      {
        name: "Atwood Bicycle Garage",
        address: "2148 Atwood Avenue",
        city: "Madison",
        state: "WI",
        zipCode: "53704",
        hours: "Tuesday 3 to 7 PM",
      },
      {
        name: "Mount Horeb Creamery Porch",
        address: "109 East Main Street",
        city: "Mount Horeb",
        state: "WI",
        zipCode: "53572",
        hours: "Tuesday 3 to 6 PM",
      },
    ],
    banner: {
      type: "other",
      title: "Curds squeak for two days",
      body: "Order them for the day you are home.",
      action: "/collections/cheese",
    },
  },
  {
    id: 5,
    slug: "fort-collins",
    name: "Fort Collins market",
    description:
      "Foothills, plains and everything irrigated between them, from Boulder to the Wyoming line. Delivered Thursday.",
    weekday: "Thursday",
    zone: "America/Denver",
    feeCents: 995,
    taxPpm: 29_000,
    processingPpm: 25_000,
    processingFixedCents: 30,
    commissionPpm: 180_000,
    zipCode: "80524",
    city: "Fort Collins",
    state: "CO",
    lat: 40.5853,
    lng: -105.0844,
    counties: ["08069", "08013", "08123", "08014"],
    pickups: [
      {
        name: "Old Town Oven, back door",
        address: "230 Linden Street",
        city: "Fort Collins",
        state: "CO",
        zipCode: "80524",
        hours: "Thursday 3 to 7 PM",
      },
      {
        name: "Niwot Grange",
        address: "195 2nd Avenue",
        city: "Niwot",
        state: "CO",
        zipCode: "80544",
        hours: "Thursday 4 to 7 PM",
      },
    ],
    banner: {
      type: "warning",
      title: "Mountain roads and weather",
      body: "When a canyon road closes we call you and try again on Friday.",
      action: null,
    },
  },
  {
    id: 126,
    slug: "bloomington",
    name: "Bloomington market",
    description:
      "Five hilly counties around the limestone, run together with the growers' guild. Delivered on Saturday morning.",
    weekday: "Saturday",
    zone: "America/Indiana/Indianapolis",
    feeCents: 595,
    taxPpm: 20_000,
    processingPpm: 25_000,
    processingFixedCents: 30,
    commissionPpm: 150_000,
    zipCode: "47404",
    city: "Bloomington",
    state: "IN",
    lat: 39.1653,
    lng: -86.5264,
    counties: ["18105", "18013", "18119", "18093", "18109"],
    pickups: [
      {
        name: "Growers' Guild Hall",
        address: "302 South Madison Street",
        city: "Bloomington",
        state: "IN",
        zipCode: "47404",
        hours: "Saturday 8 to 11 AM",
      },
      {
        name: "Nashville Depot",
        address: "15 Franklin Street",
        city: "Nashville",
        state: "IN",
        zipCode: "47448",
        hours: "Saturday 9 to 11 AM",
      },
    ],
    banner: {
      type: "information",
      title: "A guild market",
      body: "The growers own this one. The commission is lower and so is the fee.",
      action: "/hubs/126",
    },
  },
];
