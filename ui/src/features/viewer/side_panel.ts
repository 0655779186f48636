export type SidePanelTab = 'text' | 'info' | 'transcription';
