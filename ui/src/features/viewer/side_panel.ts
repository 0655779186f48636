export type SidePanelTab = 'text' | 'info';
