// What the pages share.

export * from './api.js';
export * from './desk.js';
export * from './format.js';
export * from './frame.js';
export * from './html.js';
export * from './outbox.js';
export * from './picker.js';
export * from './sheet.js';
export * from './table.js';
