import { expect, it } from 'vitest';
import shipped from '../../../assets/content-model.json';
import { germanLabels } from './german_labels';

/** Labels that German has, too. */
const ALIKE = ['Article', 'Audio', 'Code', 'ISBN', 'OIS_File_Information_Md5checksum', 'PID', 'Video'];

function labels(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    (key === 'label' || key === 'value_label') && typeof value === 'string' ? [value] : labels(value),
  );
}

it('every field, bundle, model and use of the shipped content model has a German name', () => {
  const authorities = /Subject Headings|Thesaurus|Authority|Library of Congress|MARC|Wikidata|ISO 639/;
  const names = [...shipped.models, ...shipped.media_uses].map(({ name }) => name);
  const missing = [...labels(shipped.bundles), ...names].filter(
    (label) => !(label in germanLabels) && !ALIKE.includes(label) && !authorities.test(label),
  );
  expect(missing).toEqual([]);
});
