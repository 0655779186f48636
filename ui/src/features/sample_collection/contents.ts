/** Contents of the sample collection. People, places and holdings are fictional. */
export interface SampleMap {
  title: string;
  /** EDTF. */
  date: string;
  extent: string;
  /** Seed of the drawing. */
  seed: number;
}

export const MAPS: SampleMap[] = [
  {
    title: 'Isola di Portovecchio, con li scogli e secche intorno',
    date: '1571~',
    extent: '1 map, coloured',
    seed: 11,
  },
  { title: 'Caprera, uncoloured proof before letters', date: '1602', extent: '1 map', seed: 23 },
  {
    title: 'Santorsola with the tower and the watering place',
    date: '1571',
    extent: '1 map, coloured',
    seed: 37,
  },
  { title: 'Montalbo', date: '1590~', extent: '1 map, coloured', seed: 41 },
  { title: 'Le Sorelle, as seen from the south', date: '1573?', extent: '1 map', seed: 59 },
  {
    title: 'Soundings taken off the bar by the survey boat',
    date: '1847-06/1847-07',
    extent: '1 chart',
    seed: 67,
  },
];

/** A book with this number of pages. */
export const BOOK = { title: 'Portolano delle isole, fair copy', date: '15XX', extent: '1 volume', pages: 4 };
