import { Chance as SeededChance } from '../../src/apps/experiment/statistics';

/** A seeded source of chance, so that a run of the simulation can be repeated. */
export class Chance extends SeededChance {
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** From the standard normal distribution (Box and Muller 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}
