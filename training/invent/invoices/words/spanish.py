"""Spanish."""

from training.invent.invoices.words.base import words

SPANISH = words(
    captions="""
title: Factura | FACTURA | Factura de venta | Factura comercial
credit_title: Factura rectificativa | Abono | Nota de crédito | Factura de abono
number: N.º de factura | Factura n.º | Número | Nº factura | Factura Nº | Número de factura | Nº
date: Fecha | Fecha de factura | Fecha de emisión | Fecha factura | Fecha de expedición
due: Vencimiento | Fecha de vencimiento | Pagar antes del | Vence el | Fecha límite de pago
order: N.º de pedido | Su pedido | Pedido | Orden de compra | Ref. pedido
customer_id: N.º de cliente | Código de cliente | Cliente n.º | Cód. cliente
delivery: Fecha de entrega | Fecha de servicio | Entregado el
period: Periodo | Periodo de facturación | Periodo de servicio
vendor_tax: NIF | CIF | NIF-IVA | N.I.F. | CIF/NIF
customer_tax: NIF cliente | CIF cliente | NIF del cliente
bill_to: Facturar a | Cliente | Datos del cliente | Destinatario | Facturado a
ship_to: Enviar a | Dirección de entrega | Entrega
contact: Contacto | Atendido por | Comercial | Su contacto
pos: N.º | Pos. | Línea | #
code: Referencia | Ref. | Código | Cód. artículo
description: Descripción | Concepto | Artículo | Detalle | Producto o servicio
quantity: Cantidad | Cant. | Uds. | Unidades
unit: Unidad | Ud. | U.M.
price: Precio unitario | Precio | P. unitario | Precio ud. | P.V.P.
discount: Dto. | Descuento | % Dto.
rate: IVA | % IVA | Tipo IVA | I.V.A.
amount: Importe | Total | Importe neto | Total línea
subtotal: Base imponible | Subtotal | Total neto | Suma | Importe neto | Total sin IVA
total_discount: Descuento | Dto. comercial | Descuento global
tax: IVA | IVA {rate} | I.V.A. {rate} | Cuota IVA | Total IVA
total_tax: Total IVA | Cuota IVA | Importe IVA
total: Total | Total factura | TOTAL FACTURA | Importe total | Total con IVA | Total a facturar
prepaid: Anticipo | A cuenta | Pagado | Entrega a cuenta
amount_due: Total a pagar | Importe pendiente | A pagar | Saldo pendiente | Líquido a pagar
carried: Suma y sigue | Suma anterior | Total anterior
base: Base | Base imponible | Neto
iban: IBAN | Cuenta (IBAN) | Nº de cuenta
bic: BIC | SWIFT
bank: Banco | Datos bancarios | Entidad
page: Página {page} de {pages} | Pág. {page}/{pages} | {page}/{pages}
phone: Tel. | Teléfono | Tfno.
register: Registro Mercantil | Reg. Merc. | R.M.
reference: Nuestra ref. | Presupuesto n.º | Proyecto | Contrato | Albarán n.º
strange: Albarán | Fecha de pedido | Ref. interna | Comercial | Obra | Código proveedor | Transportista | Contrato n.º | Contador | Expediente | Almacén | Forma de envío
""",
    sentences="""
intro: Le facturamos los siguientes conceptos: | Gracias por su pedido. Detalle: | Por los servicios prestados: | Estimado cliente, adjuntamos el detalle de su compra.
numbered: Factura n.º {number} de fecha {date} | Factura {number} del {date} | Factura número {number}, emitida el {date}
terms: Pago a {days} días. | Forma de pago: transferencia a {days} días | Condiciones: {days} días fecha factura. | A pagar en un plazo de {days} días.
discount_terms: {percent} de descuento por pago en {days} días. | Pronto pago {percent} a {days} días
due_on: Pago antes del {due}. | El importe vence el {due}. | Rogamos abonen el importe hasta el {due}.
thanks: Gracias por su confianza. | Gracias por su compra. | Atentamente
exempt: Operación exenta de IVA. | Inversión del sujeto pasivo. | Entrega intracomunitaria exenta.
credit: Rectifica la factura {reference}. | Abono de la factura {reference} por devolución.
total_sentence: El importe total asciende a {total}. | Rogamos transfieran {total} a nuestra cuenta.
note: La mercancía es propiedad del vendedor hasta su pago. | Inscrita en el Registro Mercantil. | Portes incluidos. | Albarán {code}, 12 bultos, 148 kg | Horario de lunes a viernes de 8:30 a 17:00
""",
    articles="""
ud. 2 60: Cable USB 2 m | Bolígrafo azul, caja de 50 | Tornillo M8x40 | Bombilla LED E27 9 W | Guantes de protección talla L | Manilla de acero | Papel A4 80 g | Tóner negro | Alargador 5 m | Botiquín | Taza impresa | Saco de tierra 40 l
ud. 80 2400: Silla de oficina | Impresora láser | Portátil 14" | Mesa regulable | Taladro sin cable 18 V | Conmutador de red 24 puertos | Bomba de agua | Archivador metálico | Cámara de vigilancia | Radiador de acero | Lavabo con grifería
h fine 25 140: Consultoría | Desarrollo de software | Instalación | Gestión de proyecto | Diseño gráfico | Trabajos de electricidad | Soporte técnico | Traducción | Mano de obra pintura
kg fine 1 24: Café en grano arábica | Harina de trigo | Hilo de cobre | Manzanas categoría I | Aceitunas
mes 9 420: Alojamiento web | Licencia de software | Limpieza de oficinas | Contrato de mantenimiento | Alquiler de trastero | Línea de internet fibra
día 150 1250: Taller en empresa | Alquiler de grúa con operario | Formación | Alquiler de coche
global 15 900: Gastos de envío | Desplazamiento | Puesta en marcha | Gestión de residuos | Recargo urgente
""",
    details="color antracita | talla XL | n.º de serie 4471-B | según su solicitud | garantía 2 años | fijaciones incluidas | semana 23 | para la sede Norte | lote 2207-11",
    sections="Materiales | Mano de obra | Edificio A | Planta baja | Cuotas | Gastos únicos | Pedido del 12 de mayo",
)
