/** A PDF of so many empty pages. */
export function emptyPdf(pages) {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ');
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    `<</Type /Pages /Kids [${kids}] /Count ${pages}>>`,
    ...Array.from({ length: pages }, () => '<</Type /Page /Parent 2 0 R /MediaBox [0 0 72 99]>>'),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
}
