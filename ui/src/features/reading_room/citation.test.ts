import { describe, expect, it } from 'vitest';
import { citation, type CitedRecord } from './citation';

const TODAY = new Date(2026, 10, 27);
const CHART: CitedRecord = {
  '@type': 'ImageObject',
  name: 'Chart of Candia',
  url: 'https://maps.example/node/7',
  creator: { '@type': 'Person', name: 'Coronelli, Vincenzo Maria, 1650-1718' },
  dateCreated: '1693-04',
  provider: { '@type': 'Organization', name: 'Island Maps' },
};
const person = (name: string) => ({ '@type': 'Person', name });

describe('a citation', () => {
  it('is written in each style', () => {
    expect(citation(CHART, 'apa', TODAY)).toBe(
      'Coronelli, V. M. (1693). Chart of Candia. Island Maps. https://maps.example/node/7',
    );
    expect(citation(CHART, 'mla', TODAY)).toBe(
      'Coronelli, Vincenzo Maria. Chart of Candia. 1693. Island Maps, maps.example/node/7. Accessed 27 Nov. 2026.',
    );
    expect(citation(CHART, 'chicago', TODAY)).toBe(
      'Coronelli, Vincenzo Maria. Chart of Candia. 1693. Island Maps. https://maps.example/node/7.',
    );
  });

  it('has no author where there is none, and says that there is no date', () => {
    const letter: CitedRecord = { name: 'Who goes there?', url: 'https://a.example/node/1' };
    expect(citation(letter, 'apa', TODAY)).toBe('Who goes there? (n.d.). https://a.example/node/1');
    expect(citation(letter, 'chicago', TODAY)).toBe('Who goes there? n.d. https://a.example/node/1.');
  });

  it('joins several authors, and names bodies as they are', () => {
    const joint = {
      ...CHART,
      creator: [person('Ruiz, Ana'), { '@type': 'Organization', name: 'Sea Office' }],
    };
    expect(citation(joint, 'apa', TODAY)).toMatch(/^Ruiz, A\., & Sea Office\. \(1693\)/);
    expect(citation(joint, 'mla', TODAY)).toMatch(/^Ruiz, Ana, and Sea Office\. /);
    expect(citation(joint, 'chicago', TODAY)).toMatch(/^Ruiz, Ana, and Sea Office\. /);
    const three = { ...CHART, creator: ['Ruiz, Ana', 'Kant, Jean-Luc', 'Ito, Mai'].map(person) };
    expect(citation(three, 'apa', TODAY)).toMatch(/^Ruiz, A\., Kant, J\.-L\., & Ito, M\. /);
    expect(citation(three, 'mla', TODAY)).toMatch(/^Ruiz, Ana, et al\. /);
    expect(citation(three, 'chicago', TODAY)).toMatch(/^Ruiz, Ana, Jean-Luc Kant, and Mai Ito\. /);
  });

  it('has both years of an interval, and its publisher', () => {
    const log = { ...CHART, dateCreated: '1690/1693-05', publisher: { name: 'Harbour Press' } };
    expect(citation(log, 'chicago', TODAY)).toContain('Chart of Candia. Harbour Press, 1690–1693. ');
    expect(citation(log, 'mla', TODAY)).toContain('Chart of Candia. Harbour Press, 1690–1693. Island Maps, ');
  });

  it('takes many authors', () => {
    const names = Array.from({ length: 25 }, (_, at) => person(`Name${at}, A`));
    const crowd = { ...CHART, creator: names };
    expect(citation(crowd, 'apa', TODAY)).toContain('Name18, A., … Name24, A. (1693)');
    expect(citation(crowd, 'chicago', TODAY)).toContain('A Name6, et al. ');
  });
});
