"""Spanish."""

from training.invent.invoices.words.base import words

SPANISH = words(
    captions="""
title: Factura | FACTURA | Factura de venta | Factura comercial | Factura ordinaria | Factura simplificada | Minuta de honorarios | Su factura
credit_title: Factura rectificativa | Abono | Nota de crédito | Factura de abono
number: N.º de factura | Factura n.º | Número | Nº factura | Factura Nº | Número de factura | Nº | Factura # | Núm. | Factura núm. | N.º de documento | Factura | Folio | Ref. | Referencia | N.º de recibo | Expediente | Minuta n.º | Documento | Ticket n.º | Localizador | Liquidación n.º
date: Fecha | Fecha de factura | Fecha de emisión | Fecha factura | Fecha de expedición | Emitida el | Fecha doc.
due: Vencimiento | Fecha de vencimiento | Pagar antes del | Vence el | Fecha límite de pago | Fecha de cargo
order: N.º de pedido | Su pedido | Pedido | Orden de compra | Ref. pedido | Pedido nº | Nº de pedido | O/C
customer_id: N.º de cliente | Código de cliente | Cliente n.º | Cód. cliente | Nº cliente | Cliente nº | Cuenta
delivery: Fecha de entrega | Fecha de servicio | Entregado el | Fecha operación
period: Periodo | Periodo de facturación | Periodo de servicio | Periodo facturado | Período de facturación | Consumo del
vendor_tax: NIF | CIF | NIF-IVA | N.I.F. | CIF/NIF | RFC | C.I.F. | RUT | NIT
customer_tax: NIF cliente | CIF cliente | NIF del cliente | Su NIF | RFC cliente
bill_to: Facturar a | Cliente | Datos del cliente | Destinatario | Facturado a | Titular | Receptor | Comprador | A la atención de
ship_to: Enviar a | Dirección de entrega | Entrega | Punto de suministro | Lugar de entrega
contact: Contacto | Atendido por | Comercial | Su contacto
pos: N.º | Pos. | Línea | #
code: Referencia | Ref. | Código | Cód. artículo
description: Descripción | Concepto | Artículo | Detalle | Producto o servicio | Servicio | Producto
quantity: Cantidad | Cant. | Uds. | Unidades | Horas | Ctd.
unit: Unidad | Ud. | U.M.
price: Precio unitario | Precio | P. unitario | Precio ud. | P.V.P. | Precio unit. | Precio/ud. | Tarifa | Precio unidad
discount: Dto. | Descuento | % Dto.
rate: IVA | % IVA | Tipo IVA | I.V.A.
amount: Importe | Total | Importe neto | Total línea | Subtotal | Importe línea | Valor
subtotal: Base imponible | Subtotal | Total neto | Suma | Importe neto | Total sin IVA | Base
total_discount: Descuento | Dto. comercial | Descuento global
tax: IVA | IVA {rate} | I.V.A. {rate} | Cuota IVA | Total IVA | IVA ({rate}) | {rate} IVA
total_tax: Total IVA | Cuota IVA | Importe IVA | IVA total | Cuota | Impuestos | I.V.A.
tax_within: IVA incluido {rate} | IVA incluido | incluye IVA de | del que IVA {rate}
trading: {brand} es una marca de {name} | {brand}, nombre comercial de {name} | Razón social: {name} | Factura emitida por {name} | {brand} es operado por {name}
regards: Atentamente | Un saludo | Saludos cordiales | Firma | La dirección
total: Total | Total factura | TOTAL FACTURA | Importe total | Total con IVA | Total a facturar | TOTAL | Total a pagar | Líquido a percibir | Total general
prepaid: Anticipo | A cuenta | Pagado | Entrega a cuenta | Entregas a cuenta
amount_due: Total a pagar | Importe pendiente | A pagar | Saldo pendiente | Líquido a pagar | Pendiente | Resto a pagar
carried: Suma y sigue | Suma anterior | Total anterior
base: Base | Base imponible | Neto
iban: IBAN | Cuenta (IBAN) | Nº de cuenta
bic: BIC | SWIFT
bank: Banco | Datos bancarios | Entidad
page: Página {page} de {pages} | Pág. {page}/{pages} | {page}/{pages}
phone: Tel. | Teléfono | Tfno.
register: Registro Mercantil | Reg. Merc. | R.M.
reference: Nuestra ref. | Presupuesto n.º | Proyecto | Contrato | Albarán n.º
seller: Emisor | Vendedor | Proveedor | De | Expedidor | Datos de la empresa | Prestador
charge: Gastos de envío | Portes | Transporte | Envío | Gastos de gestión
attn: A/A {name} | Att. {name} | {name} | Dpto. Contabilidad | Departamento de compras
salutation: Sr. | Sra. | D. | Dña. | Empresa
director: Administrador | Gerente | Director general | Titular
holder: Titular | Beneficiario | Titular de la cuenta
detail: Precio neto | Precio bruto | Descuento | Embalaje | EAN | Nº de serie | Peso | Albarán | Origen
gross: Total con IVA | Importe con IVA | Bruto | IVA incl.
taxed: Cuota IVA | IVA | Impuesto
day: Fecha | Día | Fecha servicio
currency: Moneda | Divisa | Importes en
place_date: {place}, {date} | En {place}, a {date} | {date} | {place}, a {date}
other: Beneficiario | Representante fiscal | Promotor | Agente | Transportista | Pagador
previous: Saldo anterior | Factura anterior | Saldo pendiente anterior
payment: Su pago, gracias | Pagos recibidos | Pagos desde la última factura
new_charges: Cargos del periodo | Importe de esta factura | Nuevos cargos
reading: N.º de contador | Lectura anterior | Lectura actual | Diferencia
of_base: {rate} de {base} | {rate} sobre {base} | {rate}, base {base}
named: Nombre | Empresa | Razón social | Denominación
street: Calle | Dirección | Domicilio | Dirección línea 1
town: Población | CP / Población | Ciudad | Localidad
adjustment: Descuento del documento | Cargo | Descuentos y cargos | Deducción
banner: Documento escaneado {code} | Visor versión {version} de {day} | Listas de códigos a {day} | Original para el cliente | Recibido el {day} | Representación de factura electrónica {version} | Formulario {code} | Perfil: EN 16931, {version} | Documento electrónico sin firma | Copyright {day} | Archivo n.º {code}
order_title: Orden de compra | ORDEN DE COMPRA | Pedido | Pedido a proveedor | Pedido de compra
ordered: Pedido | Cant. pedida | Ped.
open: Pendiente | Resto | Saldo
weight: Peso | Peso neto | Peso bruto | kg
lot: Código arancelario | Lote | Almacén | N.º de serie | Ubicación | Centro de coste
slip: Talón de pago | Adjunte este cupón a su pago | Resguardo de pago | Cupón
span: del {first} al {last} | {first} al {last} | desde {first} hasta {last}
own_order: Nuestro pedido | Pedido | Pedido interno | Confirmación de pedido | Orden de trabajo | Pedido nº
begin: Desde | Entrada | Inicio | Fecha de inicio | Del
end: Hasta | Salida | Fin | Fecha de fin | Al
strange: Albarán | Fecha de pedido | Ref. interna | Comercial | Obra | Código proveedor | Transportista | Contador | Almacén | Forma de envío | N.º de presupuesto | N.º de reserva | Referencia interna | Su referencia | Póliza | Matrícula | Fecha de presupuesto | Fecha de impresión | Habitación | N.º de proyecto | CUPS | Habitación | Localizador | CUPS | Expediente | Matrícula | N.º de reserva | Folio fiscal
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
pay_all: Rogamos abone {total} antes del {due}. | El importe de {total} se cargará en su cuenta el {due}.
summary: El importe neto es de {subtotal}, más IVA de {tax}, en total {total}. | Base {subtotal}, IVA {tax}, total {total}.
note: La mercancía es propiedad del vendedor hasta su pago. | Inscrita en el Registro Mercantil. | Portes incluidos. | Albarán {code}, 12 bultos, 148 kg | Horario de lunes a viernes de 8:30 a 17:00 | Devoluciones hasta el {day}. | Nuevas tarifas desde el {day}. | Su próxima factura se emitirá el {day}. | Mano de obra incluida {amount}. | Según presupuesto {code} del {day}. | Autorización {code} válida hasta el {day}. | Ahorra {amount} sobre la tarifa. | Garantía hasta el {day}, certificado {code}. | Registro Mercantil, tomo {code}, inscripción del {day}.
""",
    articles="""
kWh fine 0.08 0.6: Energía consumida | Gas natural | Peaje de acceso
GB 1 15: Datos móviles adicionales | Almacenamiento en la nube
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
