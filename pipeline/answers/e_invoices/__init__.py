"""E-invoices: what their XML says, and where the page says otherwise."""
