import type { Entity } from '../api/types';

/** Field values, and what they are called: the title of an item or the name of a template. */
export interface Description {
  title: string;
  /** The content type of the fields. */
  bundle: string;
  values: Entity;
}
