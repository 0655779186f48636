/** Runs in a page: draws a small map and answers it as a JPEG in base64. */
export function drawScan(title) {
  const canvas = Object.assign(document.createElement('canvas'), {
    width: 900,
    height: 640,
  });
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#efe4c8';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const coast = Array.from({ length: 60 }, (_, index) => {
    const turn = (index / 60) * 2 * Math.PI;
    const reach = 190 + 34 * Math.sin(3 * turn + title.length) + 18 * Math.cos(7 * turn);
    return [450 + 1.3 * reach * Math.cos(turn), 330 + 0.8 * reach * Math.sin(turn)];
  });
  for (const [width, colour] of [
    [44, '#9fb8ae'],
    [30, '#efe4c8'],
    [18, '#5d8a80'],
  ]) {
    pen.beginPath();
    for (const point of coast) pen.lineTo(...point);
    pen.closePath();
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.stroke();
  }
  pen.fillStyle = '#d9c596';
  pen.fill();
  pen.fillStyle = '#4a3a28';
  pen.font = 'italic 44px serif';
  pen.textAlign = 'center';
  pen.fillText(title, 450, 340);
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1];
}
