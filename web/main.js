// Each address has its page, of one document of HTML.

const page = location.pathname.slice(1) || 'try';
document.title = `${page.charAt(0).toUpperCase()}${page.slice(1)} · fieldwright`;
import(`/web/${page}/main.js`);
