/** Lets the browser fetch an address and keep it as a file. */
export function downloadFrom(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** Lets the browser keep bytes as a file. */
export function download(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  downloadFrom(url, name);
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
