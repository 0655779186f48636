import { expect, it } from 'vitest';
import { cellsInOrder } from './cell_clipboard';

it('cells are in the order of the list, in quotes where they have tabs and lines', () => {
  const table =
    '\u{feff}node_id,title,field_note\r\n2,Bay,"two\r\nlines"\r\n3,"Cape, east",\r\n7,Dune,"a\tb"\r\n';
  expect(cellsInOrder(table, [7, 3, 2])).toBe('Dune\t"a\tb"\nCape, east\t\nBay\t"two\r\nlines"');
});

it('items that are not in the table have no row', () => {
  expect(cellsInOrder('node_id,title\r\n2,Bay\r\n', [9, 2])).toBe('Bay');
});
