/** Nobody takes messages where they are handed in: it is nothing about this one, and the next would not go either. */
export class ReceiverUnavailable extends Error {}
