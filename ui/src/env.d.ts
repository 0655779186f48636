interface ImportMetaEnv {
  /** Where the page finds what PDFs leave out: character tables, fonts, decoders. */
  readonly PDF_RESOURCES: string;
}
