import DefaultTheme from 'vitepress/theme';
// VitePress takes a style sheet so.
// oxlint-disable-next-line import/no-unassigned-import
import './tables.css';

// VitePress takes nothing else.
// oxlint-disable-next-line import/no-default-export
export default DefaultTheme;
